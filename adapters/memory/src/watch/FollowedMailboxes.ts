import type { AccountId } from "@postern/core/shared";
import { type ExpectedMessage, FollowedMailboxes, type KnownMailbox, type SeenMessage } from "@postern/core/watch";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../Memory.ts";

interface Expected {
  readonly account: AccountId;
  readonly folderId: string;
  readonly message: ExpectedMessage;
}

const NOTHING: ReadonlyMap<number, SeenMessage> = new Map();

/** How far mailboxes were followed, as long as the process lasts. */
export const layer = Layer.effect(
  FollowedMailboxes,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const mailboxes = yield* cell(HashMap.empty<string, KnownMailbox>());
    const expected = yield* cell<ReadonlyArray<Expected>>([]);
    const keyOf = (account: AccountId, folderId: string) => `${account} ${folderId}`;
    const found = (account: AccountId, folderId: string) =>
      Effect.map(mailboxes.get, (all) => HashMap.get(all, keyOf(account, folderId)));
    const seen = (account: AccountId, folderId: string) =>
      Effect.map(found(account, folderId), Option.match({ onNone: () => NOTHING, onSome: (known) => known.seen }));

    return FollowedMailboxes.of({
      find: (account, folderId) =>
        Effect.map(
          found(account, folderId),
          Option.map(({ cursor, complete }) => ({ cursor, complete })),
        ),
      begin: (account, folderId, cursor) =>
        mailboxes.modify((all) => {
          const key = keyOf(account, folderId);
          if (HashMap.has(all, key)) return [undefined, all];
          return [undefined, HashMap.set(all, key, { cursor, complete: false, seen: NOTHING })];
        }),
      moveTo: (account, folderId, cursor) =>
        mailboxes.modify((all) => {
          const key = keyOf(account, folderId);
          const known = Option.getOrElse(HashMap.get(all, key), () => ({ seen: NOTHING }));
          return [undefined, HashMap.set(all, key, { cursor, complete: false, seen: known.seen })];
        }),
      seen,
      seenOf: (account, folderId, uids) =>
        Effect.map(seen(account, folderId), (all) => {
          const wanted = new Set(uids);
          return new Map([...all].filter(([uid]) => wanted.has(uid)));
        }),
      save: (account, folderId, { cursor, reset, remember, forget }) =>
        mailboxes.modify((all) => {
          const key = keyOf(account, folderId);
          const known = Option.getOrElse(HashMap.get(all, key), () => ({ seen: NOTHING }));
          const after = new Map(reset ? [] : known.seen);
          for (const uid of forget) after.delete(uid);
          for (const { uid, emailId, messageId, size, arrivedAt, unread, flagged, answered } of remember) {
            after.set(uid, { uid, emailId, messageId, size, arrivedAt, unread, flagged, answered });
          }
          return [undefined, HashMap.set(all, key, { cursor, complete: true, seen: after })];
        }),
      expect: (account, folderId, messages) =>
        expected.modify((all) => [undefined, [...all, ...messages.map((message) => ({ message, account, folderId }))]]),
      expected: (account, folderId, now) =>
        expected.modify((all) => {
          const left = all.filter((one) => one.account !== account || one.message.until >= now);
          const ours = left.filter((one) => one.account === account && one.folderId === folderId);
          return [ours.map(({ message }) => message), left];
        }),
      unexpect: (account, folderId, ids) =>
        expected.modify((all) => [
          undefined,
          all.filter((one) => one.account !== account || one.folderId !== folderId || !ids.includes(one.message.id)),
        ]),
      erase: (account) =>
        Effect.andThen(
          mailboxes.modify((all) => [undefined, HashMap.filter(all, (_, key) => !key.startsWith(`${account} `))]),
          expected.modify((all) => [false, all.filter((one) => one.account !== account)]),
        ),
    });
  }),
);
