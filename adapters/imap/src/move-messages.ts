import { type MailServerError, MailServerError as Failure, type MovedMessages } from "@postern/core";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "./command.ts";
import { copyAndExpunge } from "./copy-and-expunge.ts";
import { execute, nameArgument, uidsArgument } from "./execute.ts";

/** Messages moved by one command: few enough to be done within the time of an answer. */
const BATCH = 500;

/** Moves the oldest messages of the mailbox that is open (decisions 4): by MOVE (RFC 6851), else by copies. */
export const moveMessages = Effect.fnUntraced(function* (
  client: ImapFlow,
  to: string,
  copiedFrom: number,
  timeout: number,
): Effect.fn.Return<MovedMessages, MailServerError> {
  const found = yield* command(client, "search", timeout, () => client.search({ all: true }, { uid: true }));
  if (!Array.isArray(found)) return yield* unanswered("search");
  const uids = found.toSorted((one, other) => one - other).slice(0, BATCH);
  const first = uids[0];
  if (first === undefined) return { count: 0, copiedFrom };
  if (!client.capabilities.has("MOVE")) return yield* copyAndExpunge(client, uids, to, copiedFrom, timeout);
  yield* execute(client, "UID MOVE", timeout, uidsArgument(`${first}:${uids.at(-1)}`), nameArgument(client, to));
  return { count: uids.length, copiedFrom };
});

const unanswered = (operation: string) =>
  new Failure({ reason: "protocol", operation, detail: "the server refused to say" });
