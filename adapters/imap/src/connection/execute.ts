import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { parseCopyUid } from "imapflow/lib/commands/copyuid-parser.js";
import { encodePath, reportCommandError } from "imapflow/lib/tools.js";
import { pipeline, type Take } from "../wire/in-one-write.ts";
import { refusalOf } from "../wire/refusal-of.ts";
import { command } from "./command.ts";
import { commandFailure, connectionLoss } from "./imap-failure.ts";

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

/** Returns a mailbox name in the encoding of the connection. */
export const nameArgument = (client: ImapFlow, path: string): Argument => ({
  type: "ATOM",
  value: encodePath(client as never, path),
});

export const uidsArgument = (value: string): Argument => ({ type: "SEQUENCE", value });

export const atomArgument = (value: string): Argument => ({ type: "ATOM", value });

/** Sends a command as given and fails if the server refuses it; imapflow's own methods return `false` for every kind of failure. */
export const execute = (
  client: ImapFlow,
  name: string,
  timeout: number,
  ...attributes: ReadonlyArray<Argument | ReadonlyArray<Argument>>
): Effect.Effect<void, MailServerError> => Effect.asVoid(copiedUids(client, name, timeout, ...attributes));

/**
 * Sends commands, given without their tags, in one write; `take` and `ended` as in `pipeline`. Fails, after all
 * commands have ended, if the server refuses any of them, and at once if the connection is lost.
 */
export const executeAll = (
  client: ImapFlow,
  operation: string,
  lines: ReadonlyArray<string>,
  timeout: number,
  take: Take = () => false,
  ended?: (at: number, said: string) => void,
): Effect.Effect<void, MailServerError> =>
  Effect.flatMap(
    command(client, operation, timeout, () => pipeline(client, lines, take, ended)),
    ({ accepted, refusals }) => {
      const refusal = refusals.find((said) => said !== undefined);
      if (refusal !== undefined) return Effect.fail(commandFailure(operation, refusalOf(refusal)));
      return accepted.every(Boolean) ? Effect.void : Effect.fail(connectionLoss(operation, client.byeReason));
    },
  );

/** The location of a message after a copy or move. */
export interface ArrivedAt {
  readonly uidValidity: number;
  readonly uid: number;
}

/** Sends a command that copies or moves messages. Returns the new locations by the former UIDs, if the server reports them (COPYUID, RFC 4315). */
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
      // A server sends COPYUID before the tagged response to MOVE, but within the tagged response to COPY.
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
