import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { type Account, AccountDirectory, Accounts, AccountSettings, newAccount } from "../../src/accounts/index.ts";
import { accounts } from "../../src/accounts/neighbours.ts";
import { HostConnections } from "../../src/accounts/ports/HostConnections.ts";
import { ProtocolLogs } from "../../src/accounts/ports/ProtocolLogs.ts";
import { AccountId } from "../../src/shared/index.ts";
import { AccountWatches, FollowedMailboxes } from "../../src/watch/index.ts";
import { readableIds } from "../doubles.ts";
import { at } from "../lifecycle/accounts-in-memory.ts";

const NOW = 1_900_000_000_000;
const DAY = 86_400_000;
const account = (email: string, fields: Partial<Account> = {}): Account => ({
  ...newAccount(AccountId(email), 0),
  ...fields,
});
const MINE = account("a@x.test", { tags: ["vip"], servers: at("own.test"), managed: true });
const PAUSED = account("p@x.test", { pausedAt: 1 });
const REFUSED = account("r@x.test", { refusedAt: 1 });

/** These accounts, of which the first is watched. */
const world = (all: ReadonlyArray<Account>) => {
  const log: Array<string> = [];
  const note = (text: string) => Effect.sync(() => void log.push(text));
  let unused = 401;
  const doubles = Layer.mergeAll(
    Layer.succeed(AccountSettings, {
      mode: "any",
      servers: at("home.test"),
      domains: ["home.test"],
      signInDomains: [],
    }),
    Layer.mock(AccountDirectory, {
      find: (id) => Effect.succeed(Option.fromUndefinedOr(all.find((one) => one.id === id))),
      list: ({ tag }, after, limit) =>
        Effect.succeed(
          all
            .filter((one) => (tag === null || one.tags.includes(tag)) && (after === null || one.id > after))
            .slice(0, limit),
        ),
      erase: (id) => note(`erase ${id}`),
      removeUnused: (limit) =>
        Effect.sync(() => {
          const removed = Math.min(limit, unused);
          unused -= removed;
          log.push(`remove ${removed}`);
          return removed;
        }),
    }),
    Layer.mock(AccountWatches, {
      isOursAlone: false,
      selectWatched: (ids) => Effect.succeed(new Set(ids.filter((id) => id === all[0]?.id))),
    }),
    Layer.mock(FollowedMailboxes, { progress: () => Effect.succeed({ folders: 3, done: 2, messages: 70 }) }),
    Layer.mock(ProtocolLogs, {
      erase: (id) => Effect.as(note(`erase log ${id}`), true),
      removeEnded: (before) => note(`logs ${NOW - before}`),
    }),
    Layer.mock(HostConnections, { removeOld: (before) => note(`connections ${NOW - before}`) }),
    readableIds,
  );
  const layer = Layer.provideMerge(Accounts.layer, doubles);
  const run = <A, E>(use: (one: Accounts["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(Effect.flatMap(Accounts, use), layer);
  return { log, layer, run };
};
const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);

describe("an account", () => {
  const { run } = world([MINE, PAUSED, REFUSED]);
  const find = (named: string, reach: ReadonlyArray<string> | null = null) => run((one) => one.find(named, reach));

  it.effect("is found by its id or address, within the reach of a key", () =>
    Effect.gen(function* () {
      for (const named of ["a@x.test", "A@X.test"]) expect(yield* find(named)).toBe(MINE);
      for (const reach of [["a@x.test"], ["*@x.test"], ["tag:vip"]]) expect(yield* find("a@x.test", reach)).toBe(MINE);
      for (const reach of [[], ["b@x.test"], ["*@y.test"], ["tag:other"]]) {
        expect(yield* tagOf(find("a@x.test", reach))).toBe("AccountNotFound");
      }
      for (const named of ["b@x.test", "nothing"]) expect(yield* tagOf(find(named))).toBe("AccountNotFound");
    }),
  );

  it.effect("is used unless it is paused or its credential is refused", () =>
    Effect.gen(function* () {
      const use = (named: string) => run((one) => one.use(named, null));
      expect(yield* use("a@x.test")).toBe("a@x.test");
      expect(yield* tagOf(use("p@x.test"))).toBe("AccountPaused");
      expect(yield* tagOf(use("r@x.test"))).toBe("AccountNeedsReauth");
      expect(yield* tagOf(use("x".repeat(2_000)))).toBe("AccountNotFound");
    }),
  );

  it.effect("is shown with its servers, and whether it is watched", () =>
    Effect.gen(function* () {
      const home = account("h@home.test");
      const { run } = world([MINE, home]);
      const shown = yield* run((one) => one.list({ reach: null, state: null, tag: null, text: null }, null, 9));
      expect(shown).toEqual([
        { account: MINE, servers: at("own.test"), isWatched: true, follow: "inbox" },
        { account: home, servers: at("home.test"), isWatched: false, follow: "inbox" },
      ]);
      expect(yield* run((one) => one.details(PAUSED))).toEqual({
        account: PAUSED,
        servers: null,
        isWatched: false,
        follow: "inbox",
        following: null,
      });
      expect(yield* run((one) => one.details({ ...MINE, follow: "all" }))).toMatchObject({
        follow: "all",
        following: { folders: 3, done: 2, messages: 70 },
      });
    }),
  );
});

it.effect("a page has 50 accounts, or as many as asked for up to 200, and a cursor if there are more", () =>
  Effect.gen(function* () {
    const all = Array.from({ length: 201 }, (_, n) => account(`a${String(n).padStart(3, "0")}@x.test`));
    const { run } = world(all);
    const page = (search: Parameters<Accounts["Service"]["page"]>[0]) =>
      Effect.map(
        run((one) => one.page(search, null)),
        ({ accounts, nextCursor }) => [accounts.length, accounts[0]?.account.id, nextCursor],
      );
    expect(yield* page({})).toEqual([50, "a000@x.test", "acc_a049@x.test"]);
    expect(yield* page({ limit: 999 })).toEqual([200, "a000@x.test", "acc_a199@x.test"]);
    expect(yield* page({ limit: 200, cursor: "acc_a000@x.test" })).toEqual([200, "a001@x.test", null]);
    expect(yield* page({ tag: "vip" })).toEqual([0, undefined, null]);
    expect(yield* Effect.flip(page({ cursor: "a000@x.test" }))).toMatchObject({
      _tag: "InputInvalid",
      errors: [{ field: "cursor" }],
    });
  }),
);

it.effect("erases the protocol log of an erased account, and reports that a managed account needs its credential", () =>
  Effect.gen(function* () {
    const { log, layer } = world([MINE, PAUSED]);
    const data = yield* Effect.provide(accounts.data, layer);
    yield* data.erase(MINE.id);
    expect(log).toEqual(["erase log a@x.test", "erase a@x.test"]);
    const needs = ["a@x.test", "p@x.test", "b@x.test"].map((id) => data.needsCredential(AccountId(id)));
    expect(yield* Effect.all(needs)).toEqual([true, false, false]);
  }),
);

it.effect("sweeps remove unused rows in batches of 200, and connection times and logs after a day", () =>
  Effect.gen(function* () {
    const { log, layer } = world([]);
    yield* TestClock.setTime(NOW);
    for (const sweep of yield* Effect.provide(accounts.sweeps, layer)) yield* sweep;
    expect(log).toEqual(["remove 200", "remove 200", "remove 1", `connections ${DAY}`, `logs ${DAY}`]);
  }),
);
