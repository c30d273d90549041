import type { AccountId, Lease } from "@postern/core/shared";
import {
  dueAt,
  isFinished,
  type JournalEntry,
  MAX_IN_FLIGHT_PER_ACCOUNT,
  type OutgoingContents,
  OutgoingJournal,
  type OutgoingMessage,
  type WaitingOf,
} from "@postern/core/send";
import { addressKey } from "@postern/core/mail";
import { Clock, Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

/** A message with its lease, and with its contents until they are erased. */
interface Row {
  readonly message: OutgoingMessage;
  readonly contents: OutgoingContents | null;
  readonly lease: Lease | null;
  /** The due time set by a release, in epoch milliseconds; null unless it was released. */
  readonly releasedAt: number | null;
  /** Epoch milliseconds; null until the message is finished. */
  readonly finishedAt: number | null;
}

/** Returns when a row may be claimed. */
const takeableAt = ({ message, lease, releasedAt }: Row): number =>
  lease?.until ?? releasedAt ?? dueAt(message) ?? Infinity;

/** Returns the number of leased messages per account. */
const leasesOf = (all: HashMap.HashMap<string, Row>): Map<AccountId, number> => {
  const held = new Map<AccountId, number>();
  for (const { lease, message } of HashMap.values(all)) if (lease !== null) addOne(held, message.account);
  return held;
};

const addOne = (counts: Map<AccountId, number>, account: AccountId): number => {
  const count = (counts.get(account) ?? 0) + 1;
  counts.set(account, count);
  return count;
};

const isOf = (whose: WaitingOf, { account, author, waitsFor }: OutgoingMessage): boolean => {
  if ("account" in whose) return account === whose.account;
  if ("key" in whose) return author?.key === whose.key;
  return "server" in whose ? waitsFor === whose.server : author?.application === whose.application;
};

/** Outgoing messages, kept in memory. */
export const layer = Layer.effect(
  OutgoingJournal,
  Effect.gen(function* () {
    const { cell, wake: wakeUp, listen } = yield* Memory;
    const rows = yield* cell("outgoing messages", HashMap.empty<string, Row>());
    const changed = yield* listen("outgoing messages");
    const wake = wakeUp("outgoing messages");

    const entryOf = ({ message, lease }: Row, now: number): JournalEntry => ({
      message,
      leased: lease !== null && lease.until > now,
    });

    /** Changes the row if this token still holds it. */
    const held = (id: string, token: string, change: (row: Row) => Row) =>
      rows.modify((all) => {
        const row = Option.getOrUndefined(HashMap.get(all, id));
        return row?.lease?.token === token ? [true, HashMap.set(all, id, change(row))] : [false, all];
      });

    return OutgoingJournal.of({
      insert: (message, contents, lease) =>
        Effect.andThen(
          rows.modify((all) => [
            undefined,
            HashMap.set(all, message.id, { message, contents, lease, releasedAt: null, finishedAt: null }),
          ]),
          wake,
        ),

      contents: (id) =>
        Effect.map(rows.get, (all) =>
          Option.flatMap(HashMap.get(all, id), ({ contents }) => Option.fromNullOr(contents)),
        ),

      claim: (now, lease, limit) =>
        rows.modify((all, isLocked) => {
          const held = leasesOf(all);
          const due = [...HashMap.values(all)]
            .filter((row) => takeableAt(row) <= now && !isLocked(row.message.id))
            .toSorted((one, other) => takeableAt(one) - takeableAt(other))
            .filter((row) => row.lease !== null || addOne(held, row.message.account) <= MAX_IN_FLIGHT_PER_ACCOUNT)
            .slice(0, limit);
          const leased = due.reduce((map, row) => HashMap.set(map, row.message.id, { ...row, lease }), all);
          return [due.map(({ message }) => message), leased];
        }),

      claimOne: (account, id, now, lease) =>
        rows.modify((all) => {
          const row = Option.getOrUndefined(HashMap.get(all, id));
          const isFree = row?.message.account === account && (row.lease === null || row.lease.until <= now);
          return isFree ? [Option.some(row.message), HashMap.set(all, id, { ...row, lease })] : [Option.none(), all];
        }),

      renew: (ids, lease) =>
        Effect.map(
          Effect.filter(ids, (id) => held(id, lease.token, (row) => ({ ...row, lease }))),
          (kept) => new Set(kept),
        ),

      release: (ids, token, now) =>
        Effect.andThen(
          Effect.forEach(ids, (id) => held(id, token, (row) => ({ ...row, lease: null, releasedAt: now })), {
            discard: true,
          }),
          wake,
        ),

      save: (message, token, lease) =>
        Clock.currentTimeMillis.pipe(
          Effect.flatMap((now) =>
            held(message.id, token, (row) => {
              if (lease === "keep") return { ...row, message };
              const isOver = isFinished(message);
              const contents = isOver ? null : row.contents;
              return { message, contents, lease: null, releasedAt: null, finishedAt: isOver ? now : null };
            }),
          ),
          Effect.tap(wake),
        ),

      find: (account, id, now) =>
        Effect.map(rows.get, (all) =>
          HashMap.get(all, id).pipe(
            Option.filter(({ message }) => message.account === account),
            Option.map((row) => entryOf(row, now)),
          ),
        ),

      list: (account, now, limit) =>
        Effect.map(rows.get, (all) =>
          [...HashMap.values(all)]
            .filter(({ message }) => message.account === account)
            .toSorted(({ message: one }, { message: other }) =>
              one.createdAt === other.createdAt ? (one.id < other.id ? 1 : -1) : other.createdAt - one.createdAt,
            )
            .slice(0, limit)
            .map((row) => entryOf(row, now)),
        ),

      named: (account, messageIds, ids) =>
        Effect.map(rows.get, (all) =>
          [...HashMap.values(all)]
            .map(({ message }) => message)
            .filter(
              (message) =>
                message.account === account &&
                (messageIds.includes(message.messageId) ||
                  messageIds.includes(message.providerMessageId ?? "") ||
                  ids.includes(message.id)),
            ),
        ),

      sentTo: (account, addresses, since) =>
        Effect.map(rows.get, (all) => {
          const wanted = new Set(addresses.map(addressKey));
          return [...HashMap.values(all)]
            .map(({ message }) => message)
            .filter((message) => message.account === account && message.createdAt >= since)
            .filter(({ recipients }) => recipients.some(({ address }) => wanted.has(addressKey(address))))
            .toSorted((one, other) => other.createdAt - one.createdAt)
            .slice(0, 100);
        }),

      hasUnfinished: (account) =>
        Effect.map(rows.get, (all) =>
          [...HashMap.values(all)].some((row) => row.message.account === account && takeableAt(row) < Infinity),
        ),

      changeWaiting: (whose, change, limit = Infinity) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis;
          const changed = yield* rows.modify((all) => {
            const next = [...HashMap.values(all)]
              .filter((row) => row.lease === null && takeableAt(row) < Infinity && isOf(whose, row.message))
              .toSorted((one, other) => takeableAt(one) - takeableAt(other))
              .slice(0, limit)
              .map((row) => [row, change(row.message)] as const)
              .filter(([row, message]) => message !== row.message)
              .map(([row, message]): Row => {
                const rest = { ...row, message, releasedAt: null };
                return isFinished(message) ? { ...rest, contents: null, finishedAt: now } : rest;
              });
            return [
              next.map(({ message }) => message),
              next.reduce((rest, row) => HashMap.set(rest, row.message.id, row), all),
            ];
          });
          yield* wake;
          return changed;
        }),

      hasProbe: (server, id, time) =>
        Effect.map(rows.get, (all) =>
          [...HashMap.values(all)].some(
            (row) =>
              row.message.id !== id && row.message.waitsFor === server && row.lease === null && takeableAt(row) <= time,
          ),
        ),

      forgetFinished: (before, limit) =>
        rows.modify((all) => {
          const old = [...HashMap.values(all)]
            .filter(({ finishedAt }) => finishedAt !== null && finishedAt < before)
            .slice(0, limit)
            .map(({ message }) => message);
          return [
            old.map(({ messageId }) => messageId),
            HashMap.removeMany(
              all,
              old.map(({ id }) => id),
            ),
          ];
        }),

      erase: (account) =>
        rows.modify((all) => [false, HashMap.filter(all, ({ message }) => message.account !== account)]),

      nextDue: Effect.map(rows.get, (all) => {
        const held = leasesOf(all);
        const first = [...HashMap.values(all)]
          .filter(
            ({ message, lease }) => lease !== null || (held.get(message.account) ?? 0) < MAX_IN_FLIGHT_PER_ACCOUNT,
          )
          .reduce((least, row) => Math.min(least, takeableAt(row)), Infinity);
        return first === Infinity ? Option.none() : Option.some(first);
      }),

      changed,
    });
  }),
);
