import { it } from "@effect/vitest";
import { Effect, Layer, Logger, Option } from "effect";
import { expect } from "vitest";
import {
  type Account,
  AccountDirectory,
  AccountSettings,
  Discovery,
  newAccount,
  UpgradeTasks,
} from "../../src/accounts/index.ts";
import { operatorCandidate } from "../../src/accounts/discovery/rank-candidates.ts";
import { serverReview } from "../../src/lifecycle/review-servers.ts";
import { Apps } from "../../src/oauth/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { readableIds } from "../doubles.ts";
import { APP, at } from "./accounts-in-memory.ts";

const account = (email: string, host: string | null, fields: Partial<Account> = {}): Account => ({
  ...newAccount(AccountId(email), 0),
  servers: host === null ? null : at(host),
  ...fields,
});

/** Returns the accounts of which a review warns if discovery finds `found.test` for every domain. */
const review = (accounts: ReadonlyArray<Account>, { isDone = false, isTaken = false } = {}) => {
  const task = { isDone };
  const warned: Array<{ readonly count: number; readonly accounts: ReadonlyArray<string> }> = [];
  const pages: Array<string | null> = [];
  const logger = Logger.make<unknown, void>(({ message }) => {
    const [, detail] = message as ReadonlyArray<unknown>;
    warned.push(detail as (typeof warned)[number]);
  });
  const layer = Layer.mergeAll(
    Layer.succeed(AccountSettings, {
      mode: "any",
      servers: at("home.test"),
      domains: ["home.test"],
      signInDomains: [],
    }),
    Layer.mock(UpgradeTasks, {
      isDone: () => Effect.sync(() => task.isDone),
      finish: () => Effect.sync(() => ((task.isDone = true), !isTaken)),
    }),
    Layer.mock(AccountDirectory, {
      list: (_, after, limit) =>
        Effect.sync(() => {
          pages.push(after);
          const from = after === null ? 0 : accounts.findIndex(({ id }) => id === after) + 1;
          return accounts.slice(from, from + limit);
        }),
    }),
    Layer.mock(Discovery, {
      of: () => Effect.succeed([operatorCandidate(at("found.test")), operatorCandidate(at("also.test"))]),
    }),
    Layer.mock(Apps, { find: (id) => Effect.succeed(id === APP.id ? Option.some(APP) : Option.none()) }),
    readableIds,
  );
  return Effect.gen(function* () {
    const worker = yield* serverReview;
    const claimed = [yield* worker.runDue, yield* worker.runDue];
    return { warned, pages, claimed };
  }).pipe(Effect.provide([layer, Logger.layer([logger])]));
};

it.effect("a review names the accounts that are at other servers than discovery or the operator gives", () =>
  Effect.gen(function* () {
    const { warned, claimed } = yield* review([
      account("a@x.test", "found.test"),
      account("b@x.test", "FOUND.test"),
      account("c@x.test", "also.test"),
      account("d@x.test", null),
      account("e@x.test", "evil.test"),
      account("f@x.test", null, { servers: { ...at("found.test"), smtp: at("evil.test").smtp } }),
      account("g@home.test", "home.test"),
      account("h@home.test", "found.test"),
      account("i@x.test", "app.test", { provider: APP.id }),
      account("j@x.test", "found.test", { provider: APP.id }),
    ]);
    expect(warned).toHaveLength(1);
    expect(warned[0]!.count).toBe(4);
    expect(warned[0]!.accounts.map((one) => one.split(" ")[0])).toEqual([
      "acc_e@x.test",
      "acc_f@x.test",
      "acc_j@x.test",
      "acc_h@home.test",
    ]);
    expect(warned[0]!.accounts[0]).toBe(
      "acc_e@x.test is at evil.test:993 and evil.test:465, not found.test and found.test",
    );
    expect(claimed).toEqual([1, 0]);
  }),
);

it.effect("a review happens once, and says nothing if there is nothing to say", () =>
  Effect.gen(function* () {
    const wrong = [account("e@x.test", "evil.test")];
    expect(yield* review(wrong, { isDone: true })).toMatchObject({ warned: [], claimed: [0, 0], pages: [] });
    expect(yield* review(wrong, { isTaken: true })).toMatchObject({ warned: [], claimed: [1, 0] });
    expect((yield* review([account("a@x.test", "found.test")])).warned).toEqual([]);
  }),
);

it.effect("a review reads 500 accounts at a time", () =>
  Effect.gen(function* () {
    const many = Array.from({ length: 1_000 }, (_, n) => account(`a${n}@x.test`, "evil.test"));
    const { warned, pages } = yield* review([...many, account("last@x.test", "evil.test")]);
    expect(pages).toEqual([null, "a499@x.test", "a999@x.test"]);
    expect([warned[0]!.count, warned[0]!.accounts.length]).toEqual([1_001, 1_000]);
  }),
);
