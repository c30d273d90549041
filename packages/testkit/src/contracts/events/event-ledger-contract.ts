import { assert, layer } from "@effect/vitest";
import { EventLedger, EVENT_TYPES, writeEvent } from "@postern/core/events";
import { Effect, Fiber, type Layer, Option } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";

const uuid = () => globalThis.crypto.randomUUID() as string;

/** The contract of `EventLedger` (spec 7). */
export const eventLedgerContract = (name: string, live: Layer.Layer<EventLedger, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("stores events byte for byte, in order of appending, by account", () =>
      Effect.gen(function* () {
        const ledger = yield* EventLedger;
        const [mine, theirs] = [yield* freshAccount, yield* freshAccount];
        const event = (account: typeof mine, at: number) =>
          writeEvent(`evt_${uuid()}`, { id: "acc_1", email: account }, "email.sent", at, {
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

    it.effect("numbers the events of an account, stores an id once, and returns the new ones", () =>
      Effect.gen(function* () {
        const ledger = yield* EventLedger;
        const account = yield* freshAccount;
        const event = (id: string) =>
          writeEvent(
            `evt_${id}${uuid()}`,
            { id: "acc_1", email: account },
            "email.sent",
            1_000,
            EVENT_TYPES["email.sent"].sample,
          );
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
        assert.strictEqual(yield* ledger.lastPosition(account), 0, "nothing is kept of an erased account");
      }),
    );

    it.effect("returns the newest event that is kept, after which exactly the later ones follow", () =>
      Effect.gen(function* () {
        const ledger = yield* EventLedger;
        const [account, other] = [yield* freshAccount, yield* freshAccount];
        const event = (of: typeof account, at: number) =>
          writeEvent(`evt_${uuid()}`, { id: "acc_1", email: of }, "email.sent", at, EVENT_TYPES["email.sent"].sample);
        assert.deepStrictEqual(yield* ledger.newest(account), Option.none());
        const [first, second] = [event(account, 1_001), event(account, 1_000)];
        const entries = yield* ledger.append([first, second, event(other, 1_002)]);
        yield* ledger.append([second]);
        const newest = entries.find((entry) => entry.event.id === second.id)!;
        assert.deepStrictEqual(yield* ledger.newest(account), Option.some(newest));
        const later = yield* ledger.append([event(account, 1_003), event(account, 999)]);
        assert.deepStrictEqual(yield* ledger.positionOf(account, second.id), Option.some(newest.position));
        assert.deepStrictEqual(yield* ledger.after(account, newest.position, 10), later);
        for (const owner of [account, other]) while (yield* ledger.erase(owner, 10));
        assert.deepStrictEqual(yield* ledger.newest(account), Option.none());
      }),
    );

    it.effect("deletes up to `limit` events from before a time, oldest first", () =>
      Effect.gen(function* () {
        const ledger = yield* EventLedger;
        const account = yield* freshAccount;
        const event = (at: number) =>
          writeEvent(
            `evt_${uuid()}`,
            { id: "acc_1", email: account },
            "email.sent",
            at,
            EVENT_TYPES["email.sent"].sample,
          );
        const [second, first, kept] = [event(98), event(97), event(100)];
        yield* ledger.append([second, first, kept]);
        const last = yield* ledger.lastPosition(account);
        assert.isTrue(yield* ledger.forget(100, 1));
        assert.deepStrictEqual(yield* ledger.list(account), [second, kept]);
        while (yield* ledger.forget(100, 1));
        assert.deepStrictEqual(yield* ledger.list(account), [kept]);
        assert.deepStrictEqual(yield* ledger.positionOf(account, first.id), Option.none());
        assert.strictEqual(yield* ledger.lastPosition(account), last);
        while (yield* ledger.erase(account, 1));
      }),
    );

    it.effect("wakes a reader when an event of its account is appended", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const ledger = yield* EventLedger;
          const account = yield* freshAccount;
          const appended = yield* ledger.appended(account);
          const reader = yield* Effect.forkChild(appended);
          yield* ledger.append([
            writeEvent(
              `evt_${uuid()}`,
              { id: "acc_1", email: account },
              "email.sent",
              1_000,
              EVENT_TYPES["email.sent"].sample,
            ),
          ]);
          yield* Fiber.join(reader);
        }),
      ),
    );
  });
