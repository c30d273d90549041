import { assert, layer } from "@effect/vitest";
import { EventLedger, writeEvent } from "@postern/core/events";
import { EVENT_TYPES } from "@postern/core/rules";
import type { AccountId } from "@postern/core/shared";
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
        const event = (account: typeof mine, at: number, about?: Parameters<typeof writeEvent>[5]) => {
          const data = { ...EVENT_TYPES["email.sent"].sample, subject: "Grüße \u2028 💌 \u0000" };
          return writeEvent(`evt_${uuid()}`, { id: "acc_1", email: account }, "email.sent", at, data, about);
        };
        const [late, early] = [event(mine, 2_000), event(mine, 1_000, { folders: ["sent"] })];
        const other = event(theirs, 1_500, { folders: ["f_1", "inbox"], standsForMove: true });
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

    it.effect(
      "numbers the events of all accounts permanently, and those of one account in the order of their commits",
      () =>
        Effect.gen(function* () {
          const ledger = yield* EventLedger;
          const [one, other] = [yield* freshAccount, yield* freshAccount];
          const event = (account: AccountId, at: number, type: "email.sent" | "folder.created" = "email.sent") =>
            writeEvent(`evt_${uuid()}`, { id: "acc_1", email: account }, type, at, EVENT_TYPES[type].sample as never);
          const { last, epoch } = yield* ledger.numberEvents;
          const at = 9_000_000_000_000;
          const [a, b, c, d] = [event(one, at + 9), event(one, at), event(other, at, "folder.created"), event(one, at)];
          yield* ledger.append([a, b]);
          yield* ledger.append([c]);
          const filter = { accounts: [one, other] };
          const idsAfter = (after: number, only: typeof filter & { types?: ["email.sent"] }, limit = 9) =>
            Effect.map(ledger.listNumbered(after, only, limit), (entries) => entries.map((entry) => entry.event.id));
          assert.deepStrictEqual(yield* idsAfter(last, filter), [], "without a number, an event is not in the feed");
          const feed = yield* ledger.numberEvents;
          assert.strictEqual(feed.epoch, epoch);
          assert.isAtLeast(feed.last, last + 3);
          const listed = yield* ledger.listNumbered(last, filter, 9);
          assert.sameMembers(
            listed.map((entry) => entry.event.id),
            [a.id, b.id, c.id],
          );
          assert.deepStrictEqual(yield* idsAfter(last, { accounts: [one] } as typeof filter), [a.id, b.id]);
          assert.deepStrictEqual(yield* idsAfter(last, { accounts: [one] } as typeof filter, 1), [a.id]);
          assert.deepStrictEqual(yield* idsAfter(last, { ...filter, types: ["email.sent"] }), [a.id, b.id]);
          assert.deepStrictEqual(yield* idsAfter(last, { accounts: [] as never }), []);
          yield* ledger.append([d]);
          const later = yield* ledger.numberEvents;
          assert.deepStrictEqual(yield* ledger.listNumbered(feed.last, filter, 9), [
            { position: yield* ledger.numberOf(d), event: d },
          ]);
          assert.deepStrictEqual((yield* ledger.listNumbered(last, filter, 9)).slice(0, 3), listed);
          assert.isAtMost(yield* ledger.numberOf(d), later.last);
          assert.strictEqual(
            yield* ledger.numberOf({ id: "evt_none", occurredAt: at + 500_000 }),
            listed[0]!.position - 1,
          );
          assert.isAtLeast(yield* ledger.numberOf({ id: "evt_none", occurredAt: at + 700_000_000 }), later.last);
          yield* Effect.forEach([one, other], (account) => ledger.erase(account, 9));
          assert.deepStrictEqual(yield* idsAfter(last, filter), []);
          assert.isAtLeast((yield* ledger.numberEvents).last, later.last);
        }),
    );

    it.effect(
      "returns the number up to which events were deleted because of their age, including events without a number",
      () =>
        Effect.gen(function* () {
          const ledger = yield* EventLedger;
          const account = yield* freshAccount;
          const old = (at: number) =>
            writeEvent(
              `evt_${uuid()}`,
              { id: "acc_1", email: account },
              "email.sent",
              at,
              EVENT_TYPES["email.sent"].sample,
            );
          const [numbered, unnumbered] = [old(50), old(51)];
          yield* ledger.append([numbered]);
          const number = yield* ledger.numberOf(numbered);
          while (yield* ledger.forget(51, 9));
          const feed = yield* ledger.numberEvents;
          assert.isAtLeast(feed.forgotten, number);
          yield* ledger.append([unnumbered]);
          while (yield* ledger.forget(52, 9));
          const after = yield* ledger.numberEvents;
          assert.isAbove(after.forgotten, feed.last, "a reader that was at the end learns that an event is missing");
          assert.isAtLeast(after.last, after.forgotten);
          while (yield* ledger.erase(account, 9));
          assert.strictEqual(
            (yield* ledger.numberEvents).forgotten,
            after.forgotten,
            "an erasure is no loss to others",
          );
        }),
    );

    it.effect("wakes the readers of an account, and those of all accounts, when an event is appended", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const ledger = yield* EventLedger;
          const account = yield* freshAccount;
          const both = Effect.all([yield* ledger.watchAppends(account), yield* ledger.watchAppends(null)], {
            concurrency: 2,
          });
          const reader = yield* Effect.forkChild(both);
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
