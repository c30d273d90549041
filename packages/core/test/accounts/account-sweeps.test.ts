import { assert, it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { AccountDirectory, HostConnections, newAccount, ProtocolLogs } from "../../src/accounts/index.ts";
import { accounts } from "../../src/accounts/neighbours.ts";
import { AccountId } from "../../src/shared/index.ts";

const NOW = 1_900_000_000_000;
const DAY = 86_400_000;
const ME = AccountId("me@x.test");

/** Records removals and erasures in order. `unused` has the number of unused rows in each batch. */
const world = (unused: ReadonlyArray<number> = [], managed = true) => {
  const did: Array<string> = [];
  const left = [...unused];
  const note = (what: string) => Effect.sync(() => void did.push(what));
  const layer = Layer.mergeAll(
    Layer.mock(AccountDirectory, {
      countByState: Effect.succeed({ active: 0, needs_reauth: 0, paused: 0, unreachable: 0 }),
      find: (account) =>
        Effect.succeed(account === ME ? Option.some({ ...newAccount(ME, NOW), managed }) : Option.none()),
      erase: (account) => note(`account ${account}`),
      removeUnused: (limit) => Effect.as(note(`unused ${limit}`), left.shift() ?? 0),
    }),
    Layer.mock(HostConnections, { removeOld: (before) => note(`connections ${NOW - before}`) }),
    Layer.mock(ProtocolLogs, {
      changed: Effect.never,
      erase: (account) => Effect.as(note(`log ${account}`), true),
      removeEnded: (before) => note(`logs ${NOW - before}`),
    }),
  );
  return { did, layer };
};

it.effect("sweeps remove unused accounts in batches, and connections and protocol logs after a day [S10.5-11]", () => {
  const { did, layer } = world([200, 200, 199]);
  return Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    for (const sweep of yield* accounts.sweeps) yield* sweep;
    assert.deepStrictEqual(did, ["unused 200", "unused 200", "unused 200", `connections ${DAY}`, `logs ${DAY}`]);
  }).pipe(Effect.provide(layer));
});

it.effect("the removal of an account erases its row and its protocol log [S10.5-11]", () => {
  const { did, layer } = world();
  return Effect.gen(function* () {
    const { erase } = yield* accounts.data;
    yield* erase(ME);
    assert.deepStrictEqual(did, [`log ${ME}`, `account ${ME}`]);
  }).pipe(Effect.provide(layer));
});

it.effect("only a managed account needs its credential [S3.7-5]", () =>
  Effect.gen(function* () {
    const needs = (managed: boolean, account: AccountId) =>
      Effect.provide(
        Effect.flatMap(accounts.data, ({ needsCredential }) => needsCredential(account)),
        world([], managed).layer,
      );
    assert.deepStrictEqual(
      [yield* needs(true, ME), yield* needs(false, ME), yield* needs(true, AccountId("you@x.test"))],
      [true, false, false],
    );
  }),
);
