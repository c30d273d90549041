import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { describe, expect } from "vitest";
import { type Account, AccountDirectory, newAccount } from "../../src/accounts/index.ts";
import { prolongWatch, sweepFollowed, watchReasons } from "../../src/arrivals/watch-reasons.ts";
import { AccountId } from "../../src/shared/index.ts";
import { AccountWatches, SenderBlocks } from "../../src/watch/index.ts";
import { Endpoints } from "../../src/webhooks/index.ts";
import { ME } from "./inbox-in-memory.ts";

const NOW = 1_900_000_000_000;
const MINUTE = 60_000;

const PAUSED = { pausedAt: 1 } as Partial<Account>;

/** The reasons to watch these accounts, and the calls that ask for a watch. */
const world = (
  accounts: ReadonlyArray<Account>,
  { endpoints = 0, isReached = false, blocks = 0, watched = [] as ReadonlyArray<AccountId> } = {},
) => {
  const log: Array<unknown> = [];
  const ports = Layer.mergeAll(
    Layer.mock(Endpoints, {
      list: () => Effect.succeed(Array.from({ length: endpoints }) as never),
      isReached: () => Effect.succeed(isReached),
    }),
    Layer.mock(AccountDirectory, {
      find: (id) => Effect.sync(() => Option.fromUndefinedOr(accounts.find((one) => one.id === id))),
      list: (_, after, limit) =>
        Effect.sync(() => {
          log.push(`list after ${after}`);
          const from = after === null ? 0 : accounts.findIndex(({ id }) => id === after) + 1;
          return accounts.slice(from, from + limit);
        }),
    }),
    Layer.mock(AccountWatches, {
      isOursAlone: false,
      changed: Effect.never,
      extend: (account, until) => Effect.sync(() => (log.push([account, until - NOW]), true)),
      selectWatched: (ids) => Effect.sync(() => new Set(ids.filter((id) => watched.includes(id)))),
    }),
    Layer.mock(SenderBlocks, { list: () => Effect.succeed(Array.from({ length: blocks }) as never) }),
  );
  const starter = { begin: () => Effect.void, resume: (id: AccountId) => Effect.sync(() => void log.push(id)) };
  return {
    log,
    prolong: Effect.flatMap(watchReasons, (reasons) => prolongWatch(reasons, ME, NOW)).pipe(Effect.provide(ports)),
    sweep: Effect.flatMap(watchReasons, (reasons) => sweepFollowed(reasons, starter)).pipe(Effect.provide(ports)),
  };
};
const me = (fields: Partial<Account> = {}): Account => ({ ...newAccount(ME, 0), ...fields });

describe("the watch of an account without open streams", () => {
  it.effect.each([
    ["it has an endpoint", { endpoints: 1 }, {}],
    ["an application's endpoint reaches it", { isReached: true }, {}],
    ["it blocks a sender", { blocks: 1 }, {}],
    ["all its folders are followed", {}, { follow: "all" as const }],
  ] as const)("is extended by 10 minutes if %s, unless it is paused", ([, reasons, fields]) =>
    Effect.gen(function* () {
      const { prolong, log } = world([me(fields)], reasons);
      expect([yield* prolong, log]).toEqual([true, [[ME, 10 * MINUTE]]]);
      const paused = world([me({ ...fields, ...PAUSED })], reasons);
      expect([yield* paused.prolong, paused.log]).toEqual([false, []]);
    }),
  );

  it.effect("ends without a reason", () =>
    Effect.gen(function* () {
      const { prolong, log } = world([me()]);
      expect([yield* prolong, log]).toEqual([false, []]);
    }),
  );
});

describe("the sweep of followed accounts", () => {
  it.effect("starts the missing watches of accounts whose folders are all followed, and are not paused", () =>
    Effect.gen(function* () {
      const account = (name: string, fields: Partial<Account> = {}) => ({
        ...newAccount(AccountId(`${name}@x.test`), 0),
        follow: "all" as const,
        ...fields,
      });
      const accounts = [
        account("a"),
        account("b", { follow: "inbox" } as Partial<Account>),
        account("c", PAUSED),
        account("d"),
        account("e"),
      ];
      const { sweep, log } = world(accounts, { watched: [accounts[3]!.id] });
      yield* sweep;
      expect(log).toEqual(["list after null", "a@x.test", "e@x.test"]);
    }),
  );

  it.effect("reads 500 accounts at a time", () =>
    Effect.gen(function* () {
      const accounts = Array.from({ length: 501 }, (_, n) => ({
        ...newAccount(AccountId(`a${1_000 + n}@x.test`), 0),
        follow: "all" as const,
      }));
      const { sweep, log } = world(accounts);
      yield* sweep;
      const ids = accounts.map(({ id }) => id);
      expect(log).toEqual(["list after null", ...ids.slice(0, 500), "list after a1499@x.test", ids[500]]);
    }),
  );
});
