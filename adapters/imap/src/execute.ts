import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { parseCopyUid } from "imapflow/lib/commands/copyuid-parser.js";
import { encodePath, reportCommandError } from "imapflow/lib/tools.js";
import { command } from "./command.ts";

interface Argument {
  readonly type: "ATOM" | "SEQUENCE";
  readonly value: string;
}

type Response = Parameters<typeof parseCopyUid>[0];

type Raw = {
  exec: (
    command: string,
    attributes: ReadonlyArray<unknown>,
    options?: { untagged: Record<string, (untagged: Response) => Promise<void>> },
  ) => Promise<{ next: () => void; response: Response }>;
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
): Effect.Effect<void, MailServerError> => Effect.asVoid(copiedUids(client, name, timeout, ...attributes));

/** Where a message is now. */
export interface ArrivedAt {
  readonly uidValidity: number;
  readonly uid: number;
}

/** A command that copies or moves, with what the server says of where to (COPYUID of RFC 4315), by the UID before. */
export const copiedUids = (
  client: ImapFlow,
  name: string,
  timeout: number,
  ...attributes: ReadonlyArray<Argument | ReadonlyArray<Argument>>
): Effect.Effect<ReadonlyMap<number, ArrivedAt>, MailServerError> =>
  command(client, name.toLowerCase(), timeout, async () => {
    const said: { uidValidity?: bigint; uidMap?: Map<number, number> } = {};
    const listen = async (response: Response) => parseCopyUid(response, said as never);
    try {
      // MOVE says it before its end, COPY with it.
      const answer = await (client as unknown as Raw).exec(name, attributes, { untagged: { OK: listen } });
      answer.next();
      await listen(answer.response);
    } catch (error) {
      await reportCommandError(client as never, error as never);
      throw error;
    }
    const uidValidity = Number(said.uidValidity ?? 0);
    return new Map([...(said.uidMap ?? [])].map(([from, uid]) => [from, { uidValidity, uid }]));
  });
