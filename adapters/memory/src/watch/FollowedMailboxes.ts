import type { AccountId } from "@postern/core/shared";
import {
  type ExpectedMessage,
  FollowedMailboxes,
  type KnownMailbox,
  type LeftMessage,
  type SeenMessage,
} from "@postern/core/watch";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

interface Expected {
  readonly account: AccountId;
  readonly folderId: string;
  readonly message: ExpectedMessage;
}

interface Left {
  readonly account: AccountId;
  readonly folderId: string;
  readonly message: LeftMessage;
}

const NOTHING: ReadonlyMap<number, SeenMessage> = new Map();

/** Messages that `listSeenFrom` returns at a time; few, so that contract suites need several calls. */
const AT_ONCE = 100;

const seenOf = (one: SeenMessage): SeenMessage => {
  const { uid, emailId, messageId, size, arrivedAt, unread, flagged, answered, labels } = one;
  return { uid, emailId, messageId, size, arrivedAt, unread, flagged, answered, labels };
};

/** Cursors and messages of followed mailboxes, kept in memory. */
export const layer = Layer.effect(
  FollowedMailboxes,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const mailboxes = yield* cell("followed mailboxes", HashMap.empty<string, KnownMailbox>());
    const expected = yield* cell("expected messages", HashMap.empty<string, Expected>());
    const gone = yield* cell("left messages", HashMap.empty<string, Left>());
    const followsAll = yield* cell("accounts with all folders followed", HashMap.empty<AccountId, true>());
    const keyOf = (account: AccountId, folderId: string) => `${account} ${folderId}`;
    const isOther = (account: AccountId, key: string) =>
      key.startsWith(`${account} `) && key !== keyOf(account, "inbox");
    const expectedKey = (account: AccountId, folderId: string, id: string) => `${keyOf(account, folderId)} ${id}`;
    const found = (account: AccountId, folderId: string) =>
      Effect.map(mailboxes.get, (all) => HashMap.get(all, keyOf(account, folderId)));
    const seen = (account: AccountId, folderId: string) =>
      Effect.map(found(account, folderId), Option.match({ onNone: () => NOTHING, onSome: (known) => known.seen }));

    return FollowedMailboxes.of({
      find: (account, folderId) =>
        Effect.map(
          Effect.andThen(mailboxes.lock([keyOf(account, folderId)]), found(account, folderId)),
          Option.map(({ cursor, seenFrom }) => ({ cursor, seenFrom })),
        ),
      begin: (account, folderId, cursor) =>
        mailboxes.modify((all) => {
          const key = keyOf(account, folderId);
          if (HashMap.has(all, key)) return [undefined, all];
          return [undefined, HashMap.set(all, key, { cursor, seenFrom: cursor.uidNext, seen: NOTHING })];
        }),
      moveTo: (account, folderId, cursor) =>
        mailboxes.modify((all) => {
          const key = keyOf(account, folderId);
          const known = Option.getOrElse(HashMap.get(all, key), () => ({ seen: NOTHING }));
          const kept = new Map([...known.seen].filter(([uid]) => uid < cursor.uidNext));
          return [undefined, HashMap.set(all, key, { cursor, seenFrom: cursor.uidNext, seen: kept })];
        }),
      listSeenFrom: (account, folderId, from) =>
        Effect.map(seen(account, folderId), (all) =>
          [...all.values()]
            .filter(({ uid }) => uid >= from)
            .toSorted((one, other) => one.uid - other.uid)
            .slice(0, AT_ONCE),
        ),
      backfill: (account, folderId, { from, below }, messages) =>
        mailboxes.modify((all) => {
          const key = keyOf(account, folderId);
          const known = HashMap.get(all, key);
          if (Option.isNone(known)) return [undefined, all];
          const kept = [...known.value.seen].filter(([uid]) => uid < from || uid >= below);
          const after = new Map([...kept, ...messages.map((one) => [one.uid, seenOf(one)] as const)]);
          return [undefined, HashMap.set(all, key, { ...known.value, seenFrom: from, seen: after })];
        }),
      findSeen: (account, folderId, uids) =>
        Effect.map(seen(account, folderId), (all) => {
          const wanted = new Set(uids);
          return new Map([...all].filter(([uid]) => wanted.has(uid)));
        }),
      save: (account, folderId, { cursor, seenFrom, reset, remember, forget }) =>
        mailboxes.modify((all) => {
          const key = keyOf(account, folderId);
          const known = Option.getOrElse(HashMap.get(all, key), () => ({ seen: NOTHING }));
          const after = new Map(reset ? [] : known.seen);
          for (const uid of forget) after.delete(uid);
          for (const one of remember) after.set(one.uid, seenOf(one));
          return [undefined, HashMap.set(all, key, { cursor, seenFrom, seen: after })];
        }),
      beginAll: (account, present) =>
        Effect.andThen(
          followsAll.modify((all) => [undefined, HashMap.set(all, account, true as const)]),
          mailboxes.modify((all) => {
            const others = HashMap.filter(all, (_, key) => !isOther(account, key));
            const begun = [...present].flatMap(([folderId, cursor]) =>
              folderId === "inbox"
                ? []
                : [[keyOf(account, folderId), { cursor, seenFrom: cursor.uidNext, seen: NOTHING }] as const],
            );
            return [undefined, HashMap.setMany(others, begun)];
          }),
        ),
      listFollowed: (account) =>
        Effect.gen(function* () {
          if (!HashMap.has(yield* followsAll.get, account)) return Option.none();
          const own = [...(yield* mailboxes.get)].filter(([key]) => key.startsWith(`${account} `));
          return Option.some(
            new Map(own.map(([key, { cursor, seenFrom }]) => [key.slice(account.length + 1), { cursor, seenFrom }])),
          );
        }),
      end: (account, folderId) => mailboxes.modify((all) => [undefined, HashMap.remove(all, keyOf(account, folderId))]),
      endAll: (account) =>
        Effect.andThen(
          followsAll.modify((all) => [undefined, HashMap.remove(all, account)]),
          mailboxes.modify((all) => [undefined, HashMap.filter(all, (_, key) => !isOther(account, key))]),
        ),
      findAlike: (account, sizes) =>
        Effect.map(mailboxes.get, (all) =>
          [...all]
            .filter(([key]) => key.startsWith(`${account} `))
            .flatMap(([key, { seen }]) =>
              [...seen.values()]
                .filter(({ size }) => sizes.includes(size))
                .map((message) => ({ folderId: key.slice(account.length + 1), message })),
            ),
        ),
      progress: (account) =>
        Effect.map(mailboxes.get, (all) => {
          const own = [...all].filter(([key]) => key.startsWith(`${account} `)).map(([, one]) => one);
          const done = own.filter(({ seenFrom }) => seenFrom <= 1).length;
          return { folders: own.length, done, messages: own.reduce((sum, { seen }) => sum + seen.size, 0) };
        }),
      expect: (account, folderId, messages) =>
        expected.modify((all) => [
          undefined,
          messages.reduce(
            (some, message) =>
              HashMap.set(some, expectedKey(account, folderId, message.id), { message, account, folderId }),
            all,
          ),
        ]),
      listExpected: (account, folderId, now) =>
        Effect.map(expected.get, (all) =>
          [...HashMap.values(all)].flatMap((one) =>
            one.account === account && one.folderId === folderId && one.message.until >= now ? [one.message] : [],
          ),
        ),
      forgetExpected: (account, folderId, ids) =>
        expected.modify((all) => [
          undefined,
          HashMap.removeMany(
            all,
            ids.map((id) => expectedKey(account, folderId, id)),
          ),
        ]),
      recordLeft: (account, folderId, messages) =>
        gone.modify((all) => {
          const added = messages.map((message) => [message.id, { account, folderId, message }] as const);
          return [undefined, HashMap.setMany(all, added)];
        }),
      findLeft: (account, folderId, sizes, since) =>
        Effect.map(gone.get, (all) =>
          [...HashMap.values(all)].flatMap((one) =>
            one.account === account &&
            one.folderId === folderId &&
            one.message.leftAt >= since &&
            sizes.includes(one.message.size)
              ? [one.message]
              : [],
          ),
        ),
      forgetLeft: (account, ids) =>
        gone.modify((all) => [
          undefined,
          HashMap.filter(all, (one, id) => one.account !== account || !ids.includes(id)),
        ]),
      removeOld: (expectedBefore, leftBefore) =>
        Effect.andThen(
          gone.modify((all) => [undefined, HashMap.filter(all, ({ message }) => message.leftAt >= leftBefore)]),
          expected.modify((all) => [false, HashMap.filter(all, ({ message }) => message.until >= expectedBefore)]),
        ),
      erase: (account) =>
        Effect.andThen(
          Effect.andThen(
            Effect.andThen(
              followsAll.modify((all) => [undefined, HashMap.remove(all, account)]),
              mailboxes.modify((all) => [undefined, HashMap.filter(all, (_, key) => !key.startsWith(`${account} `))]),
            ),
            gone.modify((all) => [undefined, HashMap.filter(all, (one) => one.account !== account)]),
          ),
          expected.modify((all) => [false, HashMap.filter(all, (one) => one.account !== account)]),
        ),
    });
  }),
);
