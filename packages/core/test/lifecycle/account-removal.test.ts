import { assert, describe, it } from "@effect/vitest";
import { Effect, Fiber, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { AccountDirectory, newAccount } from "../../src/accounts/index.ts";
import { AccountErasures } from "../../src/auth/index.ts";
import { EventPublisher } from "../../src/events/index.ts";
import { AccountRemoval } from "../../src/lifecycle/AccountRemoval.ts";
import { Uploads } from "../../src/send/index.ts";
import { AccountId, StoreUnavailable } from "../../src/shared/index.ts";
import { AllAccountData } from "../../src/shared/neighbours.ts";
import { DeliveryQueue, Endpoints } from "../../src/webhooks/index.ts";
import { noTransaction, numberedIds, readableIds } from "../doubles.ts";

const ME = AccountId("me@postern.test");
const OTHER = AccountId("other@postern.test");

/** An account with small data and with rows that are erased in slices. Records the actions in order. */
const world = () => {
  const state = {
    did: Array<string>(),
    erasures: new Set<AccountId>(),
    rows: 3,
    slice: Effect.void as Effect.Effect<void, StoreUnavailable>,
  };
  const note = (what: string) => Effect.sync(() => void state.did.push(what));
  const layer = AccountRemoval.layer.pipe(
    Layer.provide([
      Layer.mock(AccountDirectory, {
        find: () => Effect.succeedNone,
        countByState: Effect.succeed({ active: 0, needs_reauth: 0, paused: 0, unreachable: 0 }),
        change: (account, decide) =>
          Effect.sync(() => (account === ME ? Option.some(decide(newAccount(ME, 0))[0]) : Option.none())),
      }),
      Layer.succeed(AccountErasures, {
        begin: (account) =>
          Effect.andThen(
            note(`begin ${account}`),
            Effect.sync(() => void state.erasures.add(account)),
          ),
        isUnderWay: (account) => Effect.sync(() => state.erasures.has(account)),
        list: Effect.sync(() => [...state.erasures]),
        end: (account) =>
          Effect.andThen(
            note(`end ${account}`),
            Effect.sync(() => void state.erasures.delete(account)),
          ),
      }),
      Layer.succeed(AllAccountData, [
        { name: "small", erase: (account: AccountId) => note(`erase ${account}`) },
        {
          name: "large",
          eraseSlice: (account: AccountId, limit: number) =>
            Effect.andThen(
              state.slice,
              Effect.sync(() => {
                state.did.push(`erase ${limit} of ${account}`);
                return --state.rows > 0;
              }),
            ),
        },
        { name: "none" },
      ]),
      Layer.mock(Uploads, { sweep: note("uploads swept") } as never),
      Layer.mock(Endpoints, { findSubscribed: (account, _, type) => Effect.as(note(`${type} ${account}`), []) }),
      Layer.mock(DeliveryQueue, {}),
      Layer.mock(EventPublisher, {}),
      numberedIds,
      readableIds,
      noTransaction,
    ]),
  );
  return { state, layer };
};

const SLICE = `erase 50 of ${ME}`;

describe("the removal of an account", () => {
  it.effect("reports it before it erases anything, then erases all, slice by slice [S10.3-29]", () => {
    const { state, layer } = world();
    return Effect.gen(function* () {
      yield* (yield* AccountRemoval).remove(ME);
      assert.deepStrictEqual(state.did, [
        `begin ${ME}`,
        `account.removed ${ME}`,
        `erase ${ME}`,
        SLICE,
        SLICE,
        SLICE,
        `end ${ME}`,
        "uploads swept",
      ]);
    }).pipe(Effect.provide(layer));
  });

  it.effect("is refused if the account is not the version that the client names", () => {
    const { state, layer } = world();
    return Effect.gen(function* () {
      const { removeIf } = yield* AccountRemoval;
      assert.strictEqual((yield* Effect.flip(removeIf(ME, () => false)))._tag, "AccountChanged");
      assert.deepStrictEqual(state.did, []);
      yield* removeIf(ME, () => true);
      yield* removeIf(OTHER, () => false);
      assert.include(state.did, `begin ${OTHER}`);
    }).pipe(Effect.provide(layer));
  });

  it.effect("is answered after ten seconds, and continues", () => {
    const { state, layer } = world();
    state.slice = Effect.sleep("8 seconds");
    return Effect.gen(function* () {
      const { remove } = yield* AccountRemoval;
      const fiber = yield* Effect.forkChild(remove(ME));
      yield* Effect.repeat(Effect.yieldNow, { times: 100 });
      yield* TestClock.adjust("9999 millis");
      assert.isUndefined(fiber.pollUnsafe());
      yield* TestClock.adjust("1 millis");
      yield* Fiber.join(fiber);
      assert.notInclude(state.did, `end ${ME}`);
      yield* TestClock.adjust("30 seconds");
      assert.include(state.did, `end ${ME}`);
    }).pipe(Effect.provide(layer));
  });

  it.effect("succeeds even if some rows cannot be erased now; a sweep erases them later", () => {
    const { state, layer } = world();
    state.slice = Effect.fail(new StoreUnavailable({ detail: "away" }));
    return Effect.gen(function* () {
      const { remove, resume } = yield* AccountRemoval;
      yield* remove(ME);
      assert.deepStrictEqual([...state.erasures], [ME]);
      state.slice = Effect.void;
      yield* resume;
      assert.deepStrictEqual([[...state.erasures], state.did.at(-1)], [[], `end ${ME}`]);
    }).pipe(Effect.provide(layer));
  });

  it.effect("erases nothing of an account whose removal another process has finished", () => {
    const { state, layer } = world();
    return Effect.gen(function* () {
      const { finish } = yield* AccountRemoval;
      yield* finish(ME);
      assert.deepStrictEqual(state.did, []);
      state.erasures.add(ME);
      state.slice = Effect.sync(() => void state.erasures.delete(ME));
      yield* finish(ME);
      assert.deepStrictEqual(state.did, [SLICE, `end ${ME}`]);
    }).pipe(Effect.provide(layer));
  });
});
