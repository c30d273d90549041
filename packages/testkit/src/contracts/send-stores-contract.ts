import { assert, layer } from "@effect/vitest";
import { EventLedger, EVENT_TYPES, writeEvent } from "@postern/core/events";
import {
  IdempotencyKeys,
  type IdempotencyRecord,
  type SendAnswer,
  SendQuotas,
  type SendQuota,
  TrackedMessages,
  UNUSED,
} from "@postern/core/send";
import { Effect, type Layer, Option, Result } from "effect";
import { freshAccount } from "../fresh-account.ts";

const uuid = () => globalThis.crypto.randomUUID() as string;

const answer: SendAnswer = {
  outcome: "sent",
  id: "out_1",
  messageId: "<out_1@x.test>",
  rejected: [{ recipient: "a@y.test", status: "5.1.1", detail: "550 5.1.1 nein ✓" }],
  detail: "",
};

/** What every store of idempotency keys promises (spec 6). */
export const idempotencyKeysContract = (name: string, live: Layer.Layer<IdempotencyKeys, unknown>) =>
  layer(live)(name, (it) => {
    const newRecord = Effect.map(freshAccount, (account): IdempotencyRecord => ({
      account,
      key: 'k-1 "ü" ✓',
      bodyHash: "h",
      outgoingId: uuid(),
      createdAt: 1_000,
      answer: null,
    }));

    it.effect("gives a key to who takes it first, and remembers the first answer", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyKeys;
        const record = yield* newRecord;
        assert.deepStrictEqual(yield* keys.find(record.account, record.key), Option.none());
        assert.isTrue(yield* keys.take(record, 0));
        assert.isFalse(yield* keys.take({ ...record, outgoingId: uuid() }, 999));
        assert.deepStrictEqual(yield* keys.find(record.account, record.key), Option.some(record));
        yield* keys.answer(record.outgoingId, answer);
        yield* keys.answer(record.outgoingId, { ...answer, outcome: "queued" });
        assert.deepStrictEqual(yield* keys.find(record.account, record.key), Option.some({ ...record, answer }));
      }),
    );

    it.effect("gives an expired key again, and forgets what it was for", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyKeys;
        const record = { ...(yield* newRecord), answer };
        yield* keys.take(record, 0);
        const next = { ...record, bodyHash: "other", outgoingId: uuid(), createdAt: 2_000, answer: null };
        assert.isTrue(yield* keys.take(next, 1_000));
        assert.deepStrictEqual(yield* keys.find(record.account, record.key), Option.some(next));
      }),
    );

    it.effect("forgets keys used before a time, as many as asked for", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyKeys;
        const records = yield* Effect.forEach([10, 20, 30], (createdAt) =>
          Effect.map(newRecord, (record) => ({ ...record, outgoingId: uuid(), createdAt })),
        );
        for (const record of records) yield* keys.take(record, 0);
        const isThere = Effect.forEach(records, ({ account, key }) =>
          Effect.map(keys.find(account, key), Option.isSome),
        );
        assert.strictEqual(yield* keys.forget(9, 100), 0);
        assert.strictEqual(yield* keys.forget(20, 1), 1);
        assert.strictEqual(yield* keys.forget(20, 100), 1);
        assert.deepStrictEqual(yield* isThere, [false, false, true]);
      }),
    );

    it.effect("holds accounts apart, and gives a key to one of many at once", () =>
      Effect.gen(function* () {
        const keys = yield* IdempotencyKeys;
        const record = yield* newRecord;
        const other = { ...record, account: yield* freshAccount, outgoingId: uuid() };
        const taken = yield* Effect.forEach(
          Array.from({ length: 8 }, () => ({ ...record, outgoingId: uuid() })),
          (mine) => keys.take(mine, 0),
          { concurrency: "unbounded" },
        );
        assert.lengthOf(taken.filter(Boolean), 1);
        assert.isTrue(yield* keys.take(other, 0));
        yield* keys.erase(record.account);
        assert.isTrue(Option.isNone(yield* keys.find(record.account, record.key)));
        assert.isTrue(Option.isSome(yield* keys.find(other.account, other.key)));
      }),
    );
  });

/** What every store of quotas promises (spec 6). */
export const sendQuotasContract = (name: string, live: Layer.Layer<SendQuotas, unknown>) =>
  layer(live)(name, (it) => {
    const oneMore = ({ minute, day }: SendQuota): Result.Result<SendQuota, "full"> =>
      minute.used >= 20
        ? Result.fail("full" as const)
        : Result.succeed({ minute: { startedAt: 5, used: minute.used + 1 }, day: { ...day, used: day.used + 2 } });

    it.effect("begins with nothing used, changes, and stays as it was on a failure", () =>
      Effect.gen(function* () {
        const quotas = yield* SendQuotas;
        const account = yield* freshAccount;
        const seen: Array<SendQuota> = [];
        yield* quotas.modify(account, (quota) => {
          seen.push(quota);
          return oneMore(quota);
        });
        assert.deepStrictEqual(seen, [UNUSED]);
        assert.strictEqual(yield* Effect.flip(quotas.modify(account, () => Result.fail("no" as const))), "no");
        const after = yield* quotas.modify(account, Result.succeed);
        assert.deepStrictEqual(after, { minute: { startedAt: 5, used: 1 }, day: { startedAt: 0, used: 2 } });
        yield* quotas.erase(account);
        assert.deepStrictEqual(yield* quotas.modify(account, Result.succeed), UNUSED);
      }),
    );

    it.effect("loses no change when many are made at once", () =>
      Effect.gen(function* () {
        const quotas = yield* SendQuotas;
        const account = yield* freshAccount;
        const results = yield* Effect.forEach(
          Array.from({ length: 30 }),
          () => Effect.result(quotas.modify(account, oneMore)),
          { concurrency: "unbounded" },
        );
        assert.lengthOf(results.filter(Result.isSuccess), 20);
        assert.strictEqual((yield* quotas.modify(account, Result.succeed)).minute.used, 20);
      }),
    );
  });

/** What every store of tracked messages promises (spec 7). */
export const trackedMessagesContract = (name: string, live: Layer.Layer<TrackedMessages, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("keeps a message and what is known of its openings", () =>
      Effect.gen(function* () {
        const tracked = yield* TrackedMessages;
        const account = yield* freshAccount;
        for (const recipient of [null, "a@y.test"]) {
          const message = { id: uuid(), account, messageId: "<m@x>", recipient, opens: {}, events: 0 };
          yield* tracked.insert(message);
          assert.deepStrictEqual(yield* tracked.find(message.id), Option.some(message));
          const opened = { ...message, opens: { human: { count: 3, lastEventAt: 1_900_000_000_123 } }, events: 2 };
          yield* tracked.update(opened);
          assert.deepStrictEqual(yield* tracked.find(message.id), Option.some(opened));
        }
        for (const stranger of ["", "\0", "no such picture", "%"]) {
          assert.deepStrictEqual(yield* tracked.find(stranger), Option.none());
        }
        const [one, other] = [`<${uuid()}@x>`, `<${uuid()}@x>`];
        for (const messageId of [one, other]) {
          yield* tracked.insert({ id: messageId, account, messageId, recipient: null, opens: {}, events: 0 });
        }
        yield* tracked.remove([one, "<unknown@x>"]);
        assert.isTrue(Option.isNone(yield* tracked.find(one)));
        assert.isTrue(Option.isSome(yield* tracked.find(other)));
        const last = { id: uuid(), account, messageId: "<m@x>", recipient: null, opens: {}, events: 0 };
        yield* tracked.insert(last);
        while (yield* tracked.erase(account, 1));
        assert.deepStrictEqual(yield* tracked.find(last.id), Option.none());
      }),
    );
  });

/** What every ledger promises (spec 7). */
export const eventLedgerContract = (name: string, live: Layer.Layer<EventLedger, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("keeps events byte for byte, in the order they were appended, each account's apart", () =>
      Effect.gen(function* () {
        const ledger = yield* EventLedger;
        const [mine, theirs] = [yield* freshAccount, yield* freshAccount];
        const event = (account: typeof mine, at: number) =>
          writeEvent(`evt_${uuid()}`, account, "email.sent", at, {
            ...EVENT_TYPES["email.sent"].sample,
            subject: "Grüße \u2028 💌 \u0000",
          });
        const [late, early, other] = [event(mine, 2_000), event(mine, 1_000), event(theirs, 1_500)];
        yield* ledger.append([late, other]);
        yield* ledger.append([early]);
        yield* ledger.append([]);
        assert.deepStrictEqual(yield* ledger.list(mine), [late, early]);
        assert.deepStrictEqual(yield* ledger.list(theirs), [other]);
        assert.sameDeepMembers([...(yield* ledger.find([late.id, other.id, "evt_none"]))], [late, other]);
        assert.deepStrictEqual(yield* ledger.find([]), []);
        while (yield* ledger.erase(mine, 1));
        assert.deepStrictEqual([yield* ledger.list(mine), yield* ledger.list(theirs)], [[], [other]]);
      }),
    );

    it.effect("numbers the events of an account, takes an id once, and says which it did not have", () =>
      Effect.gen(function* () {
        const ledger = yield* EventLedger;
        const account = yield* freshAccount;
        const event = (id: string) =>
          writeEvent(`evt_${id}${uuid()}`, account, "email.sent", 1_000, EVENT_TYPES["email.sent"].sample);
        const events = ["d", "b", "c", "a"].map(event);
        const first = yield* ledger.append(events);
        assert.deepStrictEqual(
          first.map((entry) => entry.event),
          events,
        );
        assert.deepStrictEqual(yield* ledger.append(events), []);
        const last = event("0");
        const [again, ...more] = yield* ledger.append([events[0]!, last]);
        assert.deepStrictEqual([again!.event, more], [last, []]);
        const listed = yield* ledger.after(account, 0, 10);
        assert.deepStrictEqual(listed, [...first, again!]);
        assert.deepStrictEqual(yield* ledger.list(account), [...events, last]);
        const positions = listed.map(({ position }) => position);
        assert.deepStrictEqual(
          positions,
          [...new Set(positions)].toSorted((a, b) => a - b),
        );
        assert.deepStrictEqual(yield* ledger.after(account, positions[1]!, 1), [first[2]!]);
        assert.deepStrictEqual(yield* ledger.positionOf(account, events[2]!.id), Option.some(positions[2]!));
        assert.deepStrictEqual(yield* ledger.positionOf(yield* freshAccount, events[2]!.id), Option.none());
        while (yield* ledger.erase(account, 2));
        assert.isAtLeast(yield* ledger.lastPosition(account), positions.at(-1)!);
      }),
    );
  });
