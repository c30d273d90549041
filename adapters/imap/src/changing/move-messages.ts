import type { MailServerError } from "@postern/core/mail";
import type { MessageBatch } from "@postern/core/folders";
import { Effect, Option } from "effect";
import type { ImapFlow } from "imapflow";
import { searchUids } from "../reading/search-uids.ts";
import { copyAndExpunge, uidNextOf } from "./copy-and-expunge.ts";
import { type ArrivedAt, copiedUids, nameArgument, uidsArgument } from "../connection/execute.ts";

/** Maximum number of messages that one command moves, so that it finishes within the timeout. */
const BATCH = 500;

/** Returns the oldest messages of the open mailbox as a batch, with the UID from which their copies begin (spec 4). */
export const nextBatch = Effect.fnUntraced(function* (
  client: ImapFlow,
  mailbox: string,
  to: string,
  timeout: number,
): Effect.fn.Return<Option.Option<MessageBatch>, MailServerError> {
  const uids = (yield* searchUids(client, "1:*", timeout)).slice(0, BATCH);
  const lastUid = uids.at(-1);
  if (lastUid === undefined) return Option.none();
  const copiedFrom = client.capabilities.has("MOVE") ? 1 : yield* uidNextOf(client, to, timeout);
  return Option.some({ mailbox, lastUid, count: uids.length, copiedFrom });
});

/** Moves the messages of a batch that are still in the open mailbox: by MOVE (RFC 6851), otherwise by copies (spec 4). */
export const moveBatch = Effect.fnUntraced(function* (
  client: ImapFlow,
  batch: MessageBatch,
  to: string,
  timeout: number,
): Effect.fn.Return<ReadonlyArray<{ readonly uid: number; readonly to: ArrivedAt | null }>, MailServerError> {
  const uids = yield* searchUids(client, `1:${batch.lastUid}`, timeout);
  if (uids.length === 0) return [];
  const set = uidsArgument(`${uids[0]}:${uids.at(-1)}`);
  const arrived = client.capabilities.has("MOVE")
    ? yield* copiedUids(client, "UID MOVE", timeout, set, nameArgument(client, to))
    : yield* copyAndExpunge(client, uids, to, batch.copiedFrom, timeout);
  return uids.map((uid) => ({ uid, to: arrived.get(uid) ?? null }));
});
