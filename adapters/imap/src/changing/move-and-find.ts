import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow, MailboxObject } from "imapflow";
import { copyAndExpunge, reopen, uidNextOf } from "./copy-and-expunge.ts";
import { type ArrivedAt, copiedUids, nameArgument, uidsArgument } from "../connection/execute.ts";
import { identitiesOf, type MessageIdentity, pairCopies } from "../reading/message-identities.ts";
import { uidSet } from "../wire/uid-set.ts";

/**
 * Moves messages of the open mailbox and returns their new locations. A server without UIDPLUS does not report the
 * locations; the adapter then searches the destination for the copies, from its former UIDNEXT on.
 */
export const moveAndFind = Effect.fnUntraced(function* (
  client: ImapFlow,
  uids: ReadonlyArray<number>,
  to: string,
  timeout: number,
): Effect.fn.Return<ReadonlyArray<{ readonly uid: number; readonly to: ArrivedAt | null }>, MailServerError> {
  const says = client.capabilities.has("UIDPLUS");
  const before = says ? [] : yield* identitiesOf(client, uidSet(uids), timeout);
  const next = says && client.capabilities.has("MOVE") ? 1 : yield* uidNextOf(client, to, timeout);
  const said = client.capabilities.has("MOVE")
    ? yield* copiedUids(client, "UID MOVE", timeout, uidsArgument(uidSet(uids)), nameArgument(client, to))
    : yield* copyAndExpunge(client, uids, to, next, timeout);
  // The messages are already moved, so a failure to find them does not fail the move.
  const arrived =
    says || said.size > 0 ? said : yield* Effect.orElseSucceed(findCopies(client, before, to, next, timeout), none);
  return uids.map((uid) => ({ uid, to: arrived.get(uid) ?? null }));
});

const none = (): ReadonlyMap<number, ArrivedAt> => new Map();

const findCopies = Effect.fnUntraced(function* (
  client: ImapFlow,
  before: ReadonlyArray<MessageIdentity>,
  to: string,
  from: number,
  timeout: number,
): Effect.fn.Return<ReadonlyMap<number, ArrivedAt>, MailServerError> {
  yield* reopen(client, to, timeout);
  const uidValidity = Number((client.mailbox as MailboxObject).uidValidity);
  // `n:*` matches the last message if its UID is below n.
  const copies = (yield* identitiesOf(client, `${from}:*`, timeout)).filter(({ uid }) => uid >= from);
  return new Map([...pairCopies(before, copies)].map(([uid, copy]) => [uid, { uidValidity, uid: copy }]));
});
