import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { type Account, AccountDirectory, newAccount, setPaused } from "../../src/accounts/index.ts";
import { AccountId, StoreUnavailable } from "../../src/shared/index.ts";
import { WatchStarter } from "../../src/watch/neighbours.ts";
import {
  applicationWatches,
  type ApplicationWatches,
  startWatches,
  sweepWatches,
  watchNewAccounts,
  watchReached,
} from "../../src/webhooks/endpoint-watches.ts";
import { Endpoints } from "../../src/webhooks/index.ts";

const account = (address: string, createdAt: number, more: Partial<Account> = {}): Account => ({
  ...newAccount(AccountId(address), createdAt),
  managed: true,
  ...more,
});

const OLD = account("old@x.test", 1);
const NEW = account("new@x.test", 5);
const PAUSED = { ...setPaused(account("paused@x.test", 5), true, 6) };
const UNMANAGED = account("unmanaged@x.test", 5, { managed: false });

/** Accounts and the entries of reaches; records the lists that were read and the watches. */
const world = (accounts: ReadonlyArray<Account>, entries: ReadonlyArray<string> = ["*"]) => {
  const happened: Array<string> = [];
  const note = (what: string) => Effect.sync(() => void happened.push(what));
  const layer = Layer.mergeAll(
    Layer.mock(AccountDirectory, {
      list: ({ reach }, after, limit) =>
        Effect.sync(() => {
          happened.push(`list ${reach?.join() ?? "all"} after ${after}`);
          const from = after === null ? 0 : accounts.findIndex(({ id }) => id === after) + 1;
          return accounts.slice(from, from + limit);
        }),
      find: (id) => Effect.succeed(Option.fromUndefinedOr(accounts.find((one) => one.id === id))),
    }),
    Layer.mock(Endpoints, { listReachEntries: Effect.succeed(entries) }),
    Layer.mock(WatchStarter, {
      begin: (id) => (id.startsWith("lost") ? new StoreUnavailable({ detail: "away" }) : note(`begin ${id}`)),
      resume: (id) => note(`resume ${id}`),
    }),
  );
  const run = <A, E>(use: (watches: ApplicationWatches) => Effect.Effect<A, E>) =>
    Effect.provide(Effect.flatMap(applicationWatches, use), layer);
  return { happened, run };
};

describe("the watches of an application", () => {
  it.effect("start now, except those of new accounts, which start at the account's creation", () =>
    Effect.gen(function* () {
      const { happened, run } = world([OLD, NEW, PAUSED, UNMANAGED]);
      yield* run((watches) => watchReached(watches, ["*@x.test"], 5));
      assert.deepStrictEqual(happened, ["list *@x.test after null", "resume new@x.test", "begin old@x.test"]);
      const all = world([OLD, NEW]);
      yield* all.run((watches) => watchReached(watches, null));
      assert.deepStrictEqual(all.happened, ["list all after null", "begin old@x.test", "begin new@x.test"]);
    }),
  );

  it.effect("of new accounts start if these are managed, not paused, and not older", () =>
    Effect.gen(function* () {
      const { happened, run } = world([OLD, NEW, PAUSED, UNMANAGED]);
      const ids = [OLD, NEW, PAUSED, UNMANAGED].map(({ id }) => id);
      yield* run((watches) => watchNewAccounts(watches, [...ids, AccountId("none@x.test")], 5));
      assert.deepStrictEqual(happened, ["resume new@x.test"]);
      yield* run((watches) => watchNewAccounts(watches, ids, 6));
      assert.deepStrictEqual(happened, ["resume new@x.test"]);
    }),
  );

  it.effect("that are missing are started for the reach of all endpoints together", () =>
    Effect.gen(function* () {
      for (const [entries, expected] of [
        [[], []],
        [
          ["*@x.test", "tag:vip", "*@x.test"],
          ["list *@x.test,tag:vip after null", "begin old@x.test"],
        ],
        [
          ["*@x.test", "*"],
          ["list all after null", "begin old@x.test"],
        ],
      ] as const) {
        const { happened, run } = world([OLD], entries);
        yield* run(sweepWatches);
        assert.deepStrictEqual(happened, [...expected]);
      }
    }),
  );

  it.effect("that could not start are counted, and hinder no other", () =>
    Effect.gen(function* () {
      const { happened, run } = world([account("lost1@x.test", 1), OLD, account("lost2@x.test", 1)]);
      const pending = yield* Effect.scoped(
        Effect.flatMap(Effect.scope, (scope) => run((watches) => startWatches(watches, scope, null))),
      );
      assert.strictEqual(pending, 2);
      assert.deepStrictEqual(happened.slice(1), ["begin old@x.test"]);
    }),
  );

  it.effect("start for all accounts, which are read 500 at a time", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 500 }, (_, n) => account(`a${n}@x.test`, 1));
      const { happened, run } = world([...many, OLD]);
      yield* run((watches) => watchReached(watches, null));
      assert.deepStrictEqual(
        happened.filter((what) => what.startsWith("list")),
        ["list all after null", "list all after a499@x.test"],
      );
      assert.strictEqual(happened.filter((what) => what.startsWith("begin")).length, 501);
    }),
  );
});
