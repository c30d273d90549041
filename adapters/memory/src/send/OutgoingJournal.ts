import {
  dueAt,
  type JournalEntry,
  MAX_IN_FLIGHT_PER_ACCOUNT,
  OutgoingJournal,
  type OutgoingMessage,
  ordersFor,
} from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { Clock, Effect, HashMap, Layer, Option, Struct } from "effect";
import { Memory } from "../store/Memory.ts";
import {
  backlogOf,
  changedSlice,
  isOneOf,
  pageOfChosen,
  selectByIds,
  type Row,
  selectSentTo,
  sliceOf,
} from "./outgoing-choices.ts";

/** Returns the time from which a row may be claimed. */
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

/** Returns the message of a row, with its pending request. */
const messageIn = ({ message, asked }: Row): OutgoingMessage => (asked === null ? message : { ...message, asked });

/**
 * Returns the row with its message changed and without a lease. With a pending request that the message still needs,
 * the message is due at once.
 */
const rewritten = (row: Row, changed: OutgoingMessage, now: number, pending = changed.asked ?? null): Row => {
  const message = withoutPendingRequest(changed);
  const asked = ordersFor(message).find((one) => one === pending) ?? null;
  const isOver = dueAt(message) === null;
  return {
    message,
    contents: isOver ? null : row.contents,
    lease: null,
    asked,
    releasedAt: asked === null ? null : 0,
    finishedAt: isOver ? now : null,
  };
};

/** Returns a message without its pending request, which its row stores. */
const withoutPendingRequest = (message: OutgoingMessage): OutgoingMessage =>
  message.asked === undefined ? message : Struct.omit(message, ["asked"]);

/** Outgoing messages, kept in memory. */
export const layer = Layer.effect(
  OutgoingJournal,
  Effect.gen(function* () {
    const { cell, wake: wakeUp, listen } = yield* Memory;
    const rows = yield* cell("outgoing messages", HashMap.empty<string, Row>());
    const changed = yield* listen("outgoing messages");
    const wake = wakeUp("outgoing messages");

    const entryOf = (row: Row, now: number): JournalEntry => ({
      message: messageIn(row),
      leased: row.lease !== null && row.lease.until > now,
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
            HashMap.set(all, message.id, { message, contents, lease, asked: null, releasedAt: null, finishedAt: null }),
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
          return [due.map(messageIn), leased];
        }),

      claimOne: (account, id, now, lease) =>
        rows.modify((all) => {
          const row = Option.getOrUndefined(HashMap.get(all, id));
          const isFree = row?.message.account === account && (row.lease === null || row.lease.until <= now);
          return isFree ? [Option.some(messageIn(row)), HashMap.set(all, id, { ...row, lease })] : [Option.none(), all];
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
            held(message.id, token, (row) =>
              lease === "keep"
                ? { ...row, message: withoutPendingRequest(message) }
                : rewritten(row, message, now, row.asked),
            ),
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

      list: (whose, now, limit, after) =>
        Effect.map(rows.get, (all) => pageOfChosen(all, whose, now, limit, after).map((row) => entryOf(row, now))),

      named: (account, messageIds, ids) => Effect.map(rows.get, (all) => selectByIds(all, account, messageIds, ids)),
      findSentTo: (account, addresses, since) =>
        Effect.map(rows.get, (all) => selectSentTo(all, account, addresses, since)),

      backlog: (now) => Effect.map(rows.get, (all) => backlogOf(all, now)),

      hasUnfinished: (account) =>
        Effect.map(rows.get, (all) =>
          [...HashMap.values(all)].some((row) => row.message.account === account && takeableAt(row) < Infinity),
        ),

      changeWaiting: (whose, change, limit = Infinity) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis;
          const changed = yield* rows.modify((all) => {
            const next = [...HashMap.values(all)]
              .filter((row) => row.lease === null && takeableAt(row) < Infinity && isOneOf(whose, row, now))
              .toSorted((one, other) => takeableAt(one) - takeableAt(other))
              .slice(0, limit)
              .flatMap((row) => {
                const message = messageIn(row);
                const next = change(message);
                return next === message ? [] : [rewritten(row, next, now)];
              });
            return [
              next.map(({ message }) => message),
              next.reduce((rest, row) => HashMap.set(rest, row.message.id, row), all),
            ];
          });
          if (changed.length > 0) yield* wake;
          return changed;
        }),

      changeSlice: (whose, change, slice) =>
        Effect.gen(function* () {
          const time = yield* Clock.currentTimeMillis;
          const rewrite = (row: Row, message: OutgoingMessage) => rewritten(row, message, time);
          yield* rows.lock(sliceOf(yield* rows.get, whose, slice).map(({ message }) => message.id));
          const done = yield* rows.modify((all) => changedSlice(all, whose, change, { ...slice, rewrite, messageIn }));
          if (done.changed.length > 0) yield* wake;
          return done;
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
