import { assert, describe, it } from "@effect/vitest";
import { Clock, Deferred, Effect, Fiber, Layer, Option, Random } from "effect";
import { TestClock } from "effect/testing";
import { AccountDirectory, newAccount } from "../../src/accounts/index.ts";
import { AccountStanding } from "../../src/accounts/index.ts";
import { ArrivalSync } from "../../src/arrivals/ArrivalSync.ts";
import { WatchLost } from "../../src/arrivals/errors.ts";
import { InboxFollower } from "../../src/arrivals/InboxFollower.ts";
import { CredentialVault } from "../../src/auth/index.ts";
import { EventPublisher } from "../../src/events/index.ts";
import { type FolderRecord, FolderRecords, Folders, MailboxTree } from "../../src/folders/index.ts";
import {
  type ListedMailbox,
  type MailboxAccessError,
  MailboxCredentialsRejected,
  MailServerError,
} from "../../src/mail/index.ts";
import { MailCredentials } from "../../src/oauth/index.ts";
import { AccountId, Transaction } from "../../src/shared/index.ts";
import {
  AccountWatches,
  FollowedMailboxes,
  InboxWatch,
  LiveInboxes,
  type WatchedInbox,
} from "../../src/watch/index.ts";
import { numberedIds, readableIds } from "../doubles.ts";
import { listedAt } from "../folders/listed.ts";

const SECOND = 1_000;
const ME = AccountId("me@postern.test");
const UNREACHABLE = new MailServerError({ reason: "unreachable", operation: "connect", detail: "refused" });

type Failure = MailboxAccessError | WatchLost;

/** A mail server, and the steps of a follower with their times since the start, in milliseconds. */
const world = () => {
  const steps: Array<readonly [number, string]> = [];
  const state = {
    /** Runs when INBOX is opened. */
    open: Effect.void as Effect.Effect<void, Failure>,
    /** Runs when INBOX is read. */
    read: Effect.void as Effect.Effect<void, Failure>,
    /** The time to record a slice of older messages, and whether the slice was the last. */
    record: Effect.succeed(true) as Effect.Effect<boolean>,
    changed: Effect.never as Effect.Effect<void, MailboxAccessError>,
    hostOf: undefined as ((account: AccountId) => string) | undefined,
    quiet: undefined as (() => boolean) | undefined,
    isHeld: true,
    listed: Array<ListedMailbox>(),
    records: Array<FolderRecord>() as ReadonlyArray<FolderRecord>,
  };
  const note = (what: string) => Effect.map(Clock.currentTimeMillis, (at) => void steps.push([at, what]));
  const inbox: WatchedInbox = {
    poll: () => Effect.die("polled by ArrivalSync alone"),
    below: () => Effect.die("read by ArrivalSync alone"),
    describe: () => Effect.die("read by ArrivalSync alone"),
    changed: Effect.as(
      Effect.suspend(() => state.changed),
      new Set<string>(),
    ),
    folders: () => Effect.as(note("folders"), state.listed),
    announceAll: Effect.succeed(false),
    standings: () => Effect.succeed([]),
    mailbox: () => inbox,
  };
  const layer = InboxFollower.layer.pipe(
    Layer.provide(Folders.layer),
    Layer.provide([
      Layer.mock(InboxWatch, {
        open: (_, kind) =>
          Effect.as(
            Effect.andThen(
              note(`open ${kind}`),
              Effect.suspend(() => state.open as Effect.Effect<void, MailboxAccessError>),
            ),
            inbox,
          ),
      }),
      Layer.succeed(ArrivalSync, {
        sync: () =>
          Effect.andThen(
            note("read"),
            Effect.suspend(() => Effect.as(state.read, true)),
          ),
        syncRound: () => Effect.die("INBOX alone is followed"),
        record: () => Effect.suspend(() => state.record),
      }),
      Layer.mock(FollowedMailboxes, {}),
      Layer.mock(AccountStanding, {
        recordAnswer: () => note("answered"),
        recordUnreachable: (_, { reason }) => note(`unreachable: ${reason}`),
      }),
      Layer.mock(CredentialVault, { takeRejection: () => Effect.as(note("refusal reported"), false) }),
      Layer.mock(MailCredentials, { keepFresh: () => Effect.andThen(note("keeps the token fresh"), Effect.never) }),
      Layer.mock(AccountDirectory, {
        find: (account) =>
          Effect.sync(() => {
            const host = state.hostOf?.(account) ?? null;
            const server = { host: host ?? "", port: 993, tls: "implicit", origin: "account" } as const;
            return Option.some({
              ...newAccount(account, 0),
              servers: host === null ? null : { imap: server, smtp: server },
            });
          }),
      }),
      Layer.mock(MailboxTree, {}),
      Layer.mock(FolderRecords, {
        load: () => Effect.sync(() => state.records),
        replace: (_, records) => Effect.sync(() => ((state.records = records), true)),
      }),
      Layer.mock(AccountWatches, {
        isOursAlone: false,
        changed: Effect.never,
        holds: () => Effect.sync(() => state.isHeld),
      }),
      Layer.mock(EventPublisher, { publish: () => Effect.succeed([]) }),
      readableIds,
      numberedIds,
      Layer.succeed(Transaction, {
        run: (effect) => {
          const before = state.records;
          return Effect.onError(effect, () => Effect.sync(() => void (state.records = before)));
        },
      }),
    ]),
    Layer.provideMerge(LiveInboxes.layer),
  );
  return { state, steps, layer };
};

/** Random numbers that are all the same. */
const always = (random: number) =>
  Effect.provideService(Random.Random, { nextIntUnsafe: () => 0, nextDoubleUnsafe: () => random });

/** Follows an account until a time has passed, or the follower ends; returns whether it ended. */
const follow = (time: number, isFirst = false) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(
      Effect.flatMap(InboxFollower, ({ follow }) => follow("node", { account: ME, epoch: 1, isFirst })),
    );
    yield* TestClock.adjust(time);
    const hasEnded = fiber.pollUnsafe() !== undefined;
    yield* Fiber.interrupt(fiber);
    return hasEnded;
  });

const named = (steps: ReadonlyArray<readonly [number, string]>, name: string) =>
  steps.flatMap(([at, what]) => (what === name ? [at] : []));

describe("a follower", () => {
  it.effect("opens and reads INBOX, then lists the folders, and keeps the token fresh", () => {
    const { steps, layer } = world();
    return Effect.gen(function* () {
      yield* follow(1);
      const all = steps.map(([, what]) => what);
      assert.include(all, "keeps the token fresh");
      assert.deepStrictEqual(
        all.filter((what) => what !== "keeps the token fresh"),
        ["open watch", "read", "answered", "folders"],
      );
    }).pipe(Effect.provide(layer), always(0.5));
  });

  it.effect("stores the folders, but not those of former servers, which end its watch", () =>
    Effect.gen(function* () {
      const stored = Effect.fnUntraced(function* (isHeld: boolean) {
        const { state, layer } = world();
        state.listed.push(listedAt("INBOX", { role: "inbox" }), listedAt("Old"));
        state.isHeld = isHeld;
        const hasEnded = yield* Effect.provide(follow(1), layer);
        return { hasEnded, paths: state.records.map(({ path }) => path) };
      });
      assert.deepStrictEqual(yield* stored(true), { hasEnded: false, paths: ["INBOX", "Old"] });
      assert.deepStrictEqual(yield* stored(false), { hasEnded: true, paths: [] });
    }),
  );

  it.effect("reads at each sign of a change; after two minutes without one, it also lists the folders", () => {
    const { state, steps, layer } = world();
    return Effect.gen(function* () {
      state.changed = Effect.sleep("50 seconds");
      yield* follow(121 * SECOND);
      assert.deepStrictEqual(
        named(steps, "read"),
        [0, 50, 100, 120].map((at) => at * SECOND),
      );
      assert.deepStrictEqual(named(steps, "folders"), [0, 120 * SECOND]);
    }).pipe(Effect.provide(layer), always(0.5));
  });

  it.effect("lists the folders after a minute and a half at the earliest, and two and a half at the latest", () =>
    Effect.gen(function* () {
      for (const [random, seconds] of [
        [0, 90],
        [1, 150],
      ] as const) {
        const { steps, layer } = world();
        yield* TestClock.setTime(0);
        yield* follow((seconds + 1) * SECOND).pipe(Effect.provide(layer), always(random));
        assert.deepStrictEqual(named(steps, "folders"), [0, seconds * SECOND]);
      }
    }),
  );

  it.effect(
    "reads arrivals between the slices of older messages, and waits for changes after the last [S7.4-6]",
    () => {
      const { state, steps, layer } = world();
      let slices = 0;
      state.record = Effect.suspend(() => Effect.as(Effect.sleep("1 second"), ++slices >= 3));
      return Effect.gen(function* () {
        yield* follow(10 * SECOND);
        assert.deepStrictEqual(named(steps, "read"), [0, 1 * SECOND, 2 * SECOND]);
      }).pipe(Effect.provide(layer), always(0.5));
    },
  );

  it.effect("reports that it notices changes of INBOX while it is connected", () => {
    const { state, layer } = world();
    return Effect.gen(function* () {
      const { quietTime } = yield* LiveInboxes;
      const reading = yield* Deferred.make<void>();
      state.read = Deferred.await(reading);
      const fiber = yield* Effect.forkChild(
        Effect.flatMap(InboxFollower, ({ follow }) => follow("node", { account: ME, epoch: 1, isFirst: false })),
      );
      yield* TestClock.adjust(1);
      assert.isUndefined(quietTime(ME));
      yield* Deferred.succeed(reading, undefined);
      yield* TestClock.adjust(1);
      assert.isDefined(quietTime(ME));
      yield* Fiber.interrupt(fiber);
      assert.isUndefined(quietTime(ME));
    }).pipe(Effect.provide(layer), always(0.5));
  });
});

describe("a failure of the mail server", () => {
  /** The times at which the INBOX is opened, if it always fails. */
  const openings = (random: number, time: number, error: Failure = UNREACHABLE) => {
    const { state, steps, layer } = world();
    state.open = Effect.fail(error);
    return Effect.gen(function* () {
      yield* TestClock.setTime(0);
      const hasEnded = yield* follow(time);
      return { at: named(steps, "open watch"), steps, hasEnded };
    }).pipe(Effect.provide(layer), always(random));
  };

  it.effect("is retried after a quarter of a second, then after twice as long each time, up to eight seconds", () =>
    Effect.gen(function* () {
      const waits = ({ at }: { readonly at: ReadonlyArray<number> }) => at.slice(1).map((one, n) => one - at[n]!);
      assert.deepStrictEqual(waits(yield* openings(1, 32_000)), [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
      assert.deepStrictEqual(waits(yield* openings(0, 8_000)), [125, 250, 500, 1_000, 2_000, 4_000]);
    }),
  );

  it.effect("makes the account unreachable at the fifth in a row, once [S10.3-10]", () =>
    Effect.gen(function* () {
      const { at, steps } = yield* openings(1, 32_000);
      assert.deepStrictEqual(named(steps, "unreachable: unreachable"), [at[4]]);
    }),
  );

  it.effect("is forgotten once the INBOX was read", () => {
    const { state, steps, layer } = world();
    let opened = 0;
    state.open = Effect.suspend(() => (++opened % 4 === 0 ? Effect.void : Effect.fail(UNREACHABLE)));
    state.changed = Effect.fail(UNREACHABLE);
    return Effect.gen(function* () {
      yield* follow(20 * SECOND);
      assert.deepStrictEqual(named(steps, "unreachable: unreachable"), []);
      assert.isAbove(opened, 8);
    }).pipe(Effect.provide(layer), always(1));
  });

  it.effect("keeps a first watch behind other watches until INBOX was read", () => {
    const { state, steps, layer } = world();
    let opened = 0;
    state.open = Effect.suspend(() => (++opened === 2 ? Effect.void : Effect.fail(UNREACHABLE)));
    state.changed = Effect.fail(UNREACHABLE);
    return Effect.gen(function* () {
      yield* follow(600, true);
      assert.deepStrictEqual(
        steps.flatMap(([, what]) => (what.startsWith("open") ? [what] : [])),
        ["open first watch", "open first watch", "open watch"],
      );
    }).pipe(Effect.provide(layer), always(1));
  });

  it.effect("of a store does not count against the server, and a lost watch ends the follower", () =>
    Effect.gen(function* () {
      const lost = yield* openings(1, 20_000, new WatchLost());
      assert.deepStrictEqual([lost.at, lost.hasEnded], [[0], true]);
    }),
  );

  it.effect("by a defect is retried after eight seconds, and does not end the watch", () => {
    const { state, steps, layer } = world();
    state.read = Effect.die(new Error("a bug"));
    return Effect.gen(function* () {
      assert.isFalse(yield* follow(17 * SECOND));
      assert.deepStrictEqual(named(steps, "open watch"), [0, 8 * SECOND, 16 * SECOND]);
    }).pipe(Effect.provide(layer), always(1));
  });

  it.effect(
    "that refused the credential is reported, and the stored credential is read again, at last every 15 seconds",
    () =>
      Effect.gen(function* () {
        const { at, steps } = yield* openings(1, 46 * SECOND, new MailboxCredentialsRejected());
        assert.deepStrictEqual(at, [0, 250, 750, 1_750, 3_750, 7_750, 15_750, 30_750, 45_750]);
        assert.deepStrictEqual(named(steps, "refusal reported"), at);
        assert.deepStrictEqual(named(steps, "unreachable: unreachable"), []);
      }),
  );
});

describe("followers of many accounts", () => {
  /** Returns the maximum number of these accounts that are busy at the same time. */
  const atOnce = (
    count: number,
    hosts: number,
    prepare: (state: ReturnType<typeof world>["state"], busy: Effect.Effect<void>) => void,
  ) => {
    const { state, layer } = world();
    let [now, most] = [0, 0];
    prepare(
      state,
      Effect.ensuring(
        Effect.suspend(() => ((most = Math.max(most, ++now)), Effect.sleep("1 minute"))),
        Effect.sync(() => now--),
      ),
    );
    state.hostOf = (account) => `imap${Number(/\d+/.exec(account)?.[0]) % hosts}.test`;
    return Effect.gen(function* () {
      const { follow } = yield* InboxFollower;
      const fibers = yield* Effect.forEach(Array.from({ length: count }), (_, n) =>
        Effect.forkChild(follow("node", { account: AccountId(`a${n}@x.test`), epoch: 1, isFirst: n % 2 === 0 })),
      );
      yield* TestClock.adjust(1);
      yield* Fiber.interruptAll(fibers);
      return most;
    }).pipe(Effect.provide(layer), always(0.5));
  };

  it.effect("open at most 16 first watches and 16 other watches at once at a host", () =>
    Effect.gen(function* () {
      const opening = (hosts: number) => atOnce(100, hosts, (state, busy) => void (state.open = busy));
      assert.strictEqual(yield* opening(1), 32);
      // Two hosts with accounts of one kind each.
      assert.strictEqual(yield* opening(2), 32);
      assert.strictEqual(yield* opening(3), 96);
    }),
  );

  it.effect("read at most 16 mailboxes at once over all hosts", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* atOnce(60, 60, (state, busy) => void (state.read = busy)), 16);
    }),
  );
});
