import { MailServerError } from "@postern/core/mail";
import type { MessageBatch } from "@postern/core/folders";
import { Effect, Option } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "./command.ts";
import { copyAndExpunge, uidNextOf } from "./copy-and-expunge.ts";
import { execute, nameArgument, uidsArgument } from "./execute.ts";

/** Messages moved by one command: few enough to be done within the time of an answer. */
const BATCH = 500;

/** The oldest messages of the mailbox that is open, and where their copies would begin (spec 4). */
export const nextBatch = Effect.fnUntraced(function* (
  client: ImapFlow,
  mailbox: string,
  to: string,
  timeout: number,
): Effect.fn.Return<Option.Option<MessageBatch>, MailServerError> {
  const uids = (yield* uidsUpTo(client, "*", timeout)).slice(0, BATCH);
  const lastUid = uids.at(-1);
  if (lastUid === undefined) return Option.none();
  const copiedFrom = client.capabilities.has("MOVE") ? 1 : yield* uidNextOf(client, to, timeout);
  return Option.some({ mailbox, lastUid, count: uids.length, copiedFrom });
});

/** Moves what is left of a batch in the mailbox that is open: by MOVE (RFC 6851), else by copies (spec 4). */
export const moveBatch = Effect.fnUntraced(function* (
  client: ImapFlow,
  batch: MessageBatch,
  to: string,
  timeout: number,
): Effect.fn.Return<number, MailServerError> {
  const uids = yield* uidsUpTo(client, batch.lastUid, timeout);
  if (uids.length === 0) return 0;
  if (client.capabilities.has("MOVE")) {
    yield* execute(client, "UID MOVE", timeout, uidsArgument(`${uids[0]}:${uids.at(-1)}`), nameArgument(client, to));
  } else yield* copyAndExpunge(client, uids, to, batch.copiedFrom, timeout);
  return uids.length;
});

/** In their order. */
const uidsUpTo = Effect.fnUntraced(function* (client: ImapFlow, last: number | "*", timeout: number) {
  const found = yield* command(client, "search", timeout, () => client.search({ uid: `1:${last}` }, { uid: true }));
  if (Array.isArray(found)) return found.toSorted((one, other) => one - other);
  return yield* new MailServerError({ reason: "protocol", operation: "search", detail: "the server refused to say" });
});
