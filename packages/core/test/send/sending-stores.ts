import { Effect, Layer, Option } from "effect";
import {
  IdempotencyKeys,
  ContactRecords,
  IdentityRecords,
  OutgoingJournal,
  SendQuotas,
  TrackedMessages,
  UNUSED_QUOTA,
  UploadRecords,
} from "../../src/send/index.ts";
import { dueAt, isFinished } from "../../src/send/outgoing/outgoing-state.ts";
import { type Lease, StoreUnavailable, Transaction } from "../../src/shared/index.ts";
import type { SendingState } from "./sending-state.ts";

const storeIn = <A>(world: SendingState, run: () => A): Effect.Effect<A, StoreUnavailable> =>
  Effect.suspend((): Effect.Effect<A, StoreUnavailable> =>
    world.failures > 0 && world.failures-- > 0
      ? Effect.fail(new StoreUnavailable({ detail: "down" }))
      : Effect.sync(run),
  );

const isFree = ({ lease }: { readonly lease: Lease | null }, now: number) => lease === null || lease.until <= now;

/** The journal, the keys, the quotas and the records of a world. */
export const sendingStores = (world: SendingState) => {
  const journal = Layer.mock(OutgoingJournal, {
    insert: (message, contents, lease) =>
      storeIn(world, () => void world.rows.set(message.id, { message, contents, lease })),
    contents: (id) => storeIn(world, () => Option.fromNullishOr(world.rows.get(id)?.contents)),
    claimOne: (account, id, now, lease) =>
      storeIn(world, () => {
        const row = world.rows.get(id);
        if (row === undefined || row.message.account !== account || !isFree(row, now)) return Option.none();
        row.lease = lease;
        return Option.some(row.message);
      }).pipe(Effect.tap(() => world.afterClaim)),
    save: (message, token, lease) =>
      storeIn(world, () => {
        const row = world.rows.get(message.id);
        if (row?.lease?.token !== token) return false;
        row.message = message;
        if (lease === "release") row.lease = null;
        if (lease === "release" && isFinished(message)) row.contents = null;
        return true;
      }),
    find: (account, id, now) =>
      storeIn(world, () =>
        Option.map(
          Option.filter(Option.fromUndefinedOr(world.rows.get(id)), ({ message }) => message.account === account),
          (row) => ({ message: row.message, leased: !isFree(row, now) }),
        ),
      ),
    list: (_, now, limit) =>
      storeIn(world, () =>
        [...world.rows.values()]
          .toReversed()
          .slice(0, limit)
          .map((row) => ({ message: row.message, leased: !isFree(row, now) })),
      ),
    changeWaiting: (whose, change, limit = Infinity) =>
      storeIn(world, () => {
        const rows = [...world.rows.values()].filter(
          ({ message, lease }) =>
            lease === null &&
            dueAt(message) !== null &&
            ("server" in whose
              ? message.waitsFor === whose.server
              : "key" in whose
                ? message.author?.key === whose.key
                : "application" in whose
                  ? message.author?.application === whose.application
                  : message.account === whose.account),
        );
        return rows.slice(0, limit).flatMap((row) => {
          const before = row.message;
          row.message = change(before);
          return row.message === before ? [] : [row.message];
        });
      }),
    hasProbe: (server, id, time) =>
      storeIn(world, () =>
        [...world.rows.values()].some(
          ({ message, lease }) =>
            message.id !== id &&
            lease === null &&
            message.waitsFor === server &&
            (message.attemptAt ?? Infinity) <= time,
        ),
      ),
    forgetFinished: (before, limit) => Effect.sync(() => (world.log.push(`forget messages ${before} ${limit}`), [])),
    erase: () => Effect.sync(() => world.log.push("erase messages") > 99),
    hasUnfinished: () => Effect.sync(() => [...world.rows.values()].some(({ message }) => !isFinished(message))),
  });
  const stores = Layer.mergeAll(
    Layer.mock(IdempotencyKeys, {
      find: (_, key) => Effect.sync(() => Option.fromUndefinedOr(world.keys.get(key))),
      take: (record, expired) =>
        Effect.sync(() => {
          const known = world.keys.get(record.key);
          if (known !== undefined && known.createdAt > expired) return false;
          world.keys.set(record.key, record);
          return true;
        }),
      answer: (id, answer) =>
        Effect.sync(() => {
          for (const [key, record] of world.keys) {
            if (record.outgoingId === id) world.keys.set(key, { ...record, answer: record.answer ?? answer });
          }
        }),
      forget: (before, limit) => Effect.sync(() => (world.log.push(`forget keys ${before} ${limit}`), 0)),
      erase: () => Effect.sync(() => void world.log.push("erase keys")),
    }),
    Layer.mock(SendQuotas, {
      modify: (holder, change) =>
        Effect.map(Effect.fromResult(change(world.quotas.get(holder) ?? UNUSED_QUOTA)), (quota) => {
          world.quotas.set(holder, quota);
          return quota;
        }),
      erase: (holder) => Effect.sync(() => void world.log.push(`erase quota ${holder}`)),
    }),
    Layer.mock(ContactRecords, { erase: () => Effect.sync(() => void world.log.push("erase contacts")) }),
    Layer.mock(IdentityRecords, { erase: () => Effect.sync(() => void world.log.push("erase senders")) }),
    Layer.mock(TrackedMessages, {
      insert: (one) => Effect.sync(() => void world.tracked.push(one)),
      remove: () => Effect.void,
      erase: () => Effect.sync(() => world.log.push("erase tracked") > 99),
    }),
    Layer.mock(UploadRecords, {
      find: (account, id) =>
        Effect.succeed(
          id.startsWith("up_")
            ? Option.some({
                id,
                account,
                name: "a.pdf",
                type: "application/pdf",
                size: 10,
                createdAt: 0,
                isPinned: true,
              })
            : Option.none(),
        ),
      pin: (_, ids, holder) => Effect.sync(() => !ids.includes("up_gone") && (world.pins.set(holder, ids), true)),
      unpin: (holders) => Effect.sync(() => holders.forEach((holder) => world.pins.delete(holder))),
      erase: () => Effect.sync(() => void world.log.push("erase uploads")),
    }),
    Layer.succeed(Transaction, {
      run: (effect) =>
        Effect.suspend(() => {
          const [rows, keys, quotas] = [new Map(world.rows), new Map(world.keys), new Map(world.quotas)];
          const done = Effect.onError(effect, () =>
            Effect.sync(() => void ([world.rows, world.keys, world.quotas] = [rows, keys, quotas])),
          );
          return Effect.tap(done, () => {
            if (!world.losesCommit) return Effect.void;
            [world.losesCommit, world.underWay, world.rows] = [false, world.rows, rows];
            return Effect.fail(new StoreUnavailable({ detail: "the commit was lost" }));
          });
        }),
    }),
  );
  return Layer.merge(journal, stores);
};
