import type { MailServerError } from "@postern/core";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { encodePath, reportCommandError } from "imapflow/lib/tools.js";
import { command } from "./command.ts";

interface Argument {
  readonly type: "ATOM" | "SEQUENCE";
  readonly value: string;
}

type Raw = {
  exec: (command: string, attributes: ReadonlyArray<unknown>) => Promise<{ next: () => void }>;
};

/** A mailbox name as the connection writes it. */
export const nameArgument = (client: ImapFlow, path: string): Argument => ({
  type: "ATOM",
  value: encodePath(client as never, path),
});

export const uidsArgument = (value: string): Argument => ({ type: "SEQUENCE", value });

export const atomArgument = (value: string): Argument => ({ type: "ATOM", value });

/** A command as it is written here, a refusal being a failure: imapflow's own say `false` for whatever went wrong. */
export const execute = (
  client: ImapFlow,
  name: string,
  timeout: number,
  ...attributes: ReadonlyArray<Argument | ReadonlyArray<Argument>>
): Effect.Effect<void, MailServerError> =>
  Effect.asVoid(
    command(client, name.toLowerCase(), timeout, async () => {
      try {
        (await (client as unknown as Raw).exec(name, attributes)).next();
        return true;
      } catch (error) {
        await reportCommandError(client as never, error as never);
        throw error;
      }
    }),
  );
