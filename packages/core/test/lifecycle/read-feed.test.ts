import { assert, describe, it } from "@effect/vitest";
import { Deferred, Effect, Fiber, Option, Result } from "effect";
import { TestClock } from "effect/testing";
import { type Account, newAccount } from "../../src/accounts/index.ts";
import { eventId, type LedgerEntry, writeEvent } from "../../src/events/index.ts";
import { type FeedPorts, type FeedReader, type FeedRequest, readFeed } from "../../src/lifecycle/read-feed.ts";
import { AccountId } from "../../src/shared/index.ts";
import { ledgerOf } from "../../src/webhooks/neighbours.ts";

const NOW = 1_900_000_000_000;
const [ANN, BOB, EVE] = ["ann@one.test", "bob@two.test", "eve@two.test"].map((address) => AccountId(address)) as [
  AccountId,
  AccountId,
  AccountId,
];
const CRM = ledgerOf("crm");

const KEY: FeedReader = { reach: null, application: "crm" };

/** A ledger with an event of each of these accounts; Eve's account is not managed. */
const world = (accounts: ReadonlyArray<AccountId>, forgotten = 0) => {
  const entries: Array<LedgerEntry> = [];
  const woken: Array<Deferred.Deferred<void>> = [];
  const append = (account: AccountId) => {
    const n = forgotten + entries.length + 1;
    const type = account === BOB ? ("account.recovered" as const) : ("account.added" as const);
    const event = writeEvent(eventId(NOW, `${account}${n}`), { id: "acc_1", email: account }, type, NOW, {
      email: account,
    });
    entries.push({ position: n, event: { ...event, account } });
    return Effect.forEach(woken.splice(0), (one) => Deferred.succeed(one, undefined), { discard: true });
  };
  for (const account of accounts) Effect.runSync(append(account));
  const known = new Map<AccountId, Account>(
    [ANN, BOB, EVE].map((id) => [id, { ...newAccount(id, NOW), managed: id !== EVE, tags: id === ANN ? ["vip"] : [] }]),
  );
  const ports = {
    ledger: {
      numberEvents: Effect.sync(() => ({ epoch: "e1", last: forgotten + entries.length, forgotten })),
      listNumbered: (
        after: number,
        { accounts: only, types }: Parameters<FeedPorts["ledger"]["listNumbered"]>[1],
        limit: number,
      ) =>
        Effect.sync(() =>
          entries
            .filter(({ position }) => position > after)
            .filter(({ event }) => only?.includes(event.account) ?? true)
            .filter(({ event }) => types?.includes(event.type) ?? true)
            .slice(0, limit),
        ),
      watchAppends: () =>
        Effect.succeed(
          Effect.suspend(() => {
            const one = Deferred.makeUnsafe<void>();
            woken.push(one);
            return Deferred.await(one);
          }),
        ),
    },
    directory: { find: (account: AccountId) => Effect.sync(() => Option.fromUndefinedOr(known.get(account))) },
    watches: {
      selectWatched: (some: ReadonlyArray<AccountId>) => Effect.succeed(new Set(some.filter((one) => one !== BOB))),
    },
  } as unknown as FeedPorts;
  const read = (request: FeedRequest, reader: FeedReader = KEY) =>
    Effect.map(Effect.scoped(readFeed(ports, request, Effect.succeed(reader))), ({ events, next, more }) => ({
      of: events.map(({ account }) => account),
      next,
      more,
    }));
  return { ports, append, known, read };
};

describe("the feed", () => {
  it.effect("returns its end if no position is given [S7.10-1]", () =>
    Effect.gen(function* () {
      const { read } = world([ANN, BOB]);
      assert.deepStrictEqual(yield* read({}), { of: [], next: "e1.2", more: false });
      assert.deepStrictEqual(yield* read({ after: "e1.2" }), { of: [], next: "e1.2", more: false });
    }),
  );

  it.effect(
    "has the events of the managed accounts in a key's reach and of its application, in one order [S7.10-2]",
    () =>
      Effect.gen(function* () {
        const { read } = world([ANN, EVE, BOB, CRM, ledgerOf("other"), ANN]);
        assert.deepStrictEqual((yield* read({ after: "e1.0" })).of, [ANN, BOB, CRM, ANN]);
        const two = yield* read({ after: "e1.0" }, { reach: ["*@two.test"], application: "shop" });
        assert.deepStrictEqual(two, { of: [BOB], next: "e1.6", more: false });
        assert.deepStrictEqual((yield* read({ after: "e1.1" }, { reach: ["tag:vip"], application: "shop" })).of, [ANN]);
        assert.deepStrictEqual((yield* read({ after: "e1.0", types: "account.recovered" })).of, [BOB]);
      }),
  );

  it.effect("is read in parts, without repeating or omitting an event [S7.10-3]", () =>
    Effect.gen(function* () {
      const all = Array.from({ length: 700 }, (_, n) => [ANN, EVE, BOB][n % 3]!);
      const { read } = world(all);
      const came: Array<AccountId> = [];
      for (let after = "e1.0", more = true; more;) {
        const part = yield* read({ after, limit: 97 });
        came.push(...part.of);
        ({ next: after, more } = part);
      }
      assert.deepStrictEqual(
        came,
        all.filter((account) => account !== EVE),
      );
    }),
  );

  it.effect("ends a part after the last event that fits, whether or not others follow", () =>
    Effect.gen(function* () {
      const { read } = world([ANN, EVE, BOB, EVE, ANN]);
      assert.deepStrictEqual(yield* read({ after: "e1.0", limit: 1 }), { of: [ANN], next: "e1.1", more: true });
      assert.deepStrictEqual(yield* read({ after: "e1.1", limit: 2 }), { of: [BOB, ANN], next: "e1.5", more: true });
      assert.deepStrictEqual(yield* read({ after: "e1.1", limit: 3 }), { of: [BOB, ANN], next: "e1.5", more: false });
      assert.deepStrictEqual(yield* read({ after: "e1.5", limit: 3 }), { of: [], next: "e1.5", more: false });
    }),
  );

  it.effect("returns an empty part in between if a key reaches few of many accounts", () =>
    Effect.gen(function* () {
      const { read } = world([...Array.from({ length: 6_000 }, () => EVE), ANN]);
      const first = yield* read({ after: "e1.0", wait: 60 });
      assert.deepStrictEqual(first, { of: [], next: "e1.5000", more: true });
      assert.deepStrictEqual(yield* read({ after: first.next }), { of: [ANN], next: "e1.6001", more: false });
    }),
  );

  it.effect("of one account has its events alone, while it is watched [S7.10-4]", () =>
    Effect.gen(function* () {
      const { read } = world([ANN, BOB, ANN]);
      assert.deepStrictEqual((yield* read({ after: "e1.0" }, { account: ANN })).of, [ANN, ANN]);
      assert.strictEqual((yield* Effect.flip(read({ after: "e1.0" }, { account: BOB })))._tag, "NotFollowed");
    }),
  );

  it.effect("is refused after events that are not kept, of another database, and with a wrong position [S7.10-5]", () =>
    Effect.gen(function* () {
      const { read } = world([ANN, BOB], 10);
      for (const after of ["e1.9", "e1.13", "e2.11"]) {
        const refused = yield* Effect.flip(read({ after }));
        assert.deepInclude(refused, { _tag: "FeedExpired", next: "e1.12" });
      }
      assert.deepStrictEqual((yield* read({ after: "e1.10" })).of, [ANN, BOB]);
      for (const request of [{ after: "11" }, { after: "e1.11", types: "email.eaten" }, { wait: 61 }, { limit: 0 }]) {
        assert.strictEqual((yield* Effect.flip(read(request)))._tag, "InputInvalid", JSON.stringify(request));
      }
    }),
  );

  it.effect("waits for the next event that concerns the reader, or for the time to pass [S7.10-6]", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(NOW);
      const { append, read } = world([ANN]);
      const waiting = yield* Effect.forkChild(
        read({ after: "e1.1", wait: 30 }, { reach: ["*@two.test"], application: "x" }),
      );
      const idle = yield* Effect.forkChild(read({ after: "e1.1", wait: 2 }, { account: EVE }));
      yield* TestClock.adjust("1 second");
      yield* append(ANN);
      yield* TestClock.adjust("1 second");
      assert.deepStrictEqual(yield* Fiber.join(idle), { of: [], next: "e1.2", more: false });
      yield* append(BOB);
      assert.deepStrictEqual(yield* Fiber.join(waiting), { of: [BOB], next: "e1.3", more: false });
    }),
  );

  it.effect(
    "checks the reader's rights at each event: a deleted key gets nothing, and a changed reach applies [S7.10-7]",
    () =>
      Effect.gen(function* () {
        const { append, ports } = world([ANN]);
        const readWhile = Effect.fnUntraced(function* (later: Effect.Effect<FeedReader, "ended">) {
          let asked = 0;
          const reader = Effect.suspend(() =>
            asked++ === 0 ? Effect.succeed<FeedReader>({ reach: [BOB], application: "x" }) : later,
          );
          const { last } = yield* ports.ledger.numberEvents;
          const reading = Effect.scoped(readFeed(ports, { after: `e1.${last}`, wait: 60 }, reader));
          const waiting = yield* Effect.forkChild(Effect.result(reading));
          yield* Effect.repeat(Effect.yieldNow, { times: 50 });
          yield* append(ANN);
          return yield* Fiber.join(waiting);
        });
        assert.deepStrictEqual(yield* readWhile(Effect.fail("ended")), Result.fail("ended"));
        const other = yield* readWhile(Effect.succeed({ reach: [ANN], application: "x" }));
        assert.strictEqual(Result.isSuccess(other) ? other.success.events.length : 0, 1);
      }),
  );
});
