import { assert, it } from "@effect/vitest";
import { Duration, Effect, Fiber, Layer, Stream, Option } from "effect";
import { TestClock } from "effect/testing";
import { type Account, AccountDirectory, Accounts, newAccount } from "../../src/accounts/index.ts";
import { eventId, type LedgerEntry, type MailEvent, writeEvent } from "../../src/events/index.ts";
import { type Following, followAccounts } from "../../src/lifecycle/follow-accounts.ts";
import { AccountId, StoreUnavailable } from "../../src/shared/index.ts";
import { WatchStarter } from "../../src/watch/neighbours.ts";
import { Endpoints } from "../../src/webhooks/index.ts";
import { applicationWatches } from "../../src/webhooks/neighbours.ts";
import type { EventLedger } from "../../src/events/index.ts";

const NOW = 1_900_000_000_000;
const ME = AccountId("me@postern.test");

const eventAt = (time: number, name: string): MailEvent =>
  writeEvent(eventId(time, name), { id: "acc_1", email: ME }, "account.added", time, { email: ME });

/** Follows a ledger to which `steps` appends events; returns the names of the events that were streamed. */
const follow = (
  options: Following,
  first: ReadonlyArray<MailEvent>,
  steps: (
    append: (...events: ReadonlyArray<MailEvent>) => void,
    down: (isDown: boolean) => void,
  ) => Effect.Effect<void>,
  forgotten = 0,
  { known = [], log = [] }: { readonly known?: Array<Account>; readonly log?: Array<string> } = {},
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    const note = (what: string) => Effect.sync(() => void log.push(what));
    const kept: Array<LedgerEntry> = first.map((event, n) => ({ position: n + 1, event }));
    let isDown = false;
    const whileUp = <A>(found: () => A) =>
      Effect.suspend(() => (isDown ? Effect.fail(new StoreUnavailable({ detail: "away" })) : Effect.succeed(found())));
    const ledger = {
      numberEvents: whileUp(() => ({ epoch: "e", last: kept.length, forgotten })),
      listNumbered: (after: number, _: unknown, limit: number) =>
        whileUp(() => kept.filter(({ position }) => position > after).slice(0, limit)),
      numberOf: ({ id }: Pick<MailEvent, "id">) =>
        whileUp(() => kept.find(({ event }) => event.id === id)?.position ?? 0),
      watchAppends: () => Effect.succeed(Effect.sleep("1 second")),
    } as unknown as EventLedger["Service"];
    const layer = Layer.mergeAll(
      Layer.mock(AccountDirectory, {
        list: (_, after) => Effect.succeed(after === null ? known : []),
        find: (id) => Effect.succeed(Option.fromUndefinedOr(known.find((one) => one.id === id))),
      }),
      Layer.mock(Endpoints, {}),
      Layer.mock(WatchStarter, {
        begin: (account) => note(`begin ${account}`),
        resume: (account) => note(`resume ${account}`),
      }),
    );
    const watches = yield* Effect.provide(applicationWatches, layer);
    const accounts = { idOf: () => Option.none() } as unknown as Accounts["Service"];
    const came: Array<string> = [];
    const stream = yield* followAccounts(ledger, watches, accounts, { types: ["account.added"], ...options });
    const fiber = yield* Effect.forkChild(
      Stream.runForEach(stream, ({ id }) => Effect.sync(() => void came.push(id.replace(/^evt_.{9}/, "")))),
    );
    yield* pass("0 millis");
    yield* steps(
      (...events) => void kept.push(...events.map((event, n) => ({ position: kept.length + n + 1, event }))),
      (down) => void (isDown = down),
    );
    yield* Fiber.interrupt(fiber);
    return came;
  });

const managed = (id: AccountId, createdAt: number): Account => ({ ...newAccount(id, createdAt), managed: true });

/** Advances the clock in steps, and lets the stream run after each step. */
const pass = (time: Duration.Input) =>
  Effect.gen(function* () {
    for (let left = Duration.toMillis(Duration.fromInputUnsafe(time)); ; left -= 1_000) {
      yield* Effect.repeat(Effect.yieldNow, { times: 50 });
      if (left <= 0) return;
      yield* TestClock.adjust(Math.min(left, 1_000));
    }
  });

it.effect("begins at the present, and yields each event once, however late it occurred [S1.4-2]", () =>
  Effect.gen(function* () {
    const came = yield* follow({}, [eventAt(NOW - 1_000, "old")], (append) =>
      Effect.gen(function* () {
        yield* pass("3 seconds");
        append(eventAt(NOW + 2_500, "new"));
        yield* pass("2 seconds");
        append(eventAt(NOW - 300_000, "late"));
        yield* pass("1 minute");
      }),
    );
    assert.deepStrictEqual(came, ["new", "late"]);
  }),
);

it.effect("continues after an event, page by page [S1.4-2]", () =>
  Effect.gen(function* () {
    const last = eventAt(NOW - 86_400_000, "last");
    const backlog = Array.from({ length: 450 }, (_, n) => eventAt(NOW - 80_000_000 + n, `b${String(n)}`));
    const came = yield* follow({ after: last.id }, [eventAt(NOW - 90_000_000, "before"), last, ...backlog], () =>
      pass("2 minutes"),
    );
    assert.deepStrictEqual(
      came,
      backlog.map((_, n) => `b${String(n)}`),
    );
  }),
);

it.effect("continues after a position of the feed, and refuses one of another database [S1.4-5]", () =>
  Effect.gen(function* () {
    const events = ["a", "b", "c"].map((name, n) => eventAt(NOW - 30_000 + n, name));
    assert.deepStrictEqual(yield* follow({ after: "e.1" }, events, () => pass("1 minute")), ["b", "c"]);
    for (const [after, tag] of [
      ["other.1", "FeedExpired"],
      ["e.9", "FeedExpired"],
      ["e.x", "InputInvalid"],
    ] as const) {
      assert.strictEqual((yield* Effect.flip(follow({ after }, events, () => Effect.void)))._tag, tag);
    }
    const log: Array<string> = [];
    const known = [managed(ME, NOW - 20_000)];
    yield* follow({ after: "e.1", types: ["email.received"] }, events, () => Effect.void, 0, { known, log });
    assert.deepStrictEqual(new Set(log), new Set([`resume ${ME}`]));
  }),
);

it.effect("refuses an event after which events are no longer kept [S1.4-2]", () =>
  Effect.gen(function* () {
    const days = (age: number) => eventAt(NOW - age * 86_400_000, "last");
    for (const [last, forgotten] of [
      [days(15), 0],
      [days(1), 3],
    ] as const) {
      const refused = yield* Effect.flip(follow({ after: last.id }, [last], () => Effect.void, forgotten));
      assert.strictEqual(refused._tag, "FeedExpired");
    }
  }),
);

it.effect("continues at its position after the store was unavailable", () =>
  Effect.gen(function* () {
    const came = yield* follow({}, [], (append, down) =>
      Effect.gen(function* () {
        down(true);
        append(eventAt(NOW, "a"));
        yield* pass("90 seconds");
        append(eventAt(NOW + 60_000, "b"));
        down(false);
        yield* pass("30 seconds");
      }),
    );
    assert.deepStrictEqual(came, ["a", "b"]);
  }),
);

it.effect("watches an account from its creation on if the stream began before [S1.4-4]", () =>
  Effect.gen(function* () {
    const [old, young] = [AccountId("old@postern.test"), AccountId("young@postern.test")];
    const last = eventAt(NOW - 60_000, "last");
    const watched = (options: Following) => {
      const log: Array<string> = [];
      const known = [managed(old, NOW - 90_000), managed(young, NOW - 30_000)];
      const types = { types: ["email.received"], ...options };
      return Effect.map(
        follow(types, [last], () => Effect.void, 0, { known, log }),
        () => log.toSorted(),
      );
    };
    assert.deepStrictEqual(yield* watched({ after: last.id }), [`begin ${old}`, `resume ${young}`]);
    assert.deepStrictEqual(yield* watched({}), [`begin ${old}`, `begin ${young}`]);
  }),
);

it.effect("watches an account that is added meanwhile at once, whichever events it yields [S1.4-4]", () =>
  Effect.gen(function* () {
    for (const [types, paused, expected] of [
      [["email.received"], false, [`resume ${ME}`]],
      [["email.received"], true, []],
      [["email.sent"], false, []],
    ] as const) {
      const log: Array<string> = [];
      const known: Array<Account> = [];
      const came = yield* follow(
        { types },
        [],
        (append) =>
          Effect.gen(function* () {
            yield* pass("1 second");
            known.push({ ...managed(ME, NOW + 1_000), ...(paused ? { pausedAt: NOW + 1_000 } : {}) });
            append(eventAt(NOW + 1_000, "added"));
            yield* pass("2 seconds");
          }),
        0,
        { known, log },
      );
      assert.deepStrictEqual([came, log], [[], expected]);
    }
  }),
);

it.effect("yields events of all types unless it names some, and refuses unknown types, accounts and places", () =>
  Effect.gen(function* () {
    const came = yield* follow({ types: undefined }, [], (append) =>
      Effect.andThen(
        Effect.sync(() => append(eventAt(NOW, "a"))),
        pass("2 seconds"),
      ),
    );
    assert.deepStrictEqual(came, ["a"]);
    for (const [options, message] of [
      [{ types: ["account.added", "email.eaten"] }, "email.eaten is no type of event"],
      [{ accounts: ["someone"] }, "someone is neither an address nor an id of an account"],
      [{ after: "evt" }, "must be the id of an event"],
    ] as const) {
      const refused = yield* Effect.flip(follow(options, [], () => Effect.void));
      const errors = [{ field: Object.keys(options)[0], message }];
      assert.deepStrictEqual(refused._tag === "InputInvalid" && refused.errors, errors as never);
    }
  }),
);
