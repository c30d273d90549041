import { assert, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { TestClock } from "effect/testing";
import { Folders } from "../../src/folders/index.ts";
import { AccountChanges } from "../../src/lifecycle/AccountChanges.ts";
import { AccountRemoval } from "../../src/lifecycle/AccountRemoval.ts";
import { SignIn } from "../../src/lifecycle/SignIn.ts";
import { AccountId } from "../../src/shared/index.ts";
import { AccountWatches, FollowedMailboxes } from "../../src/watch/index.ts";
import { accountsInMemory, at, ME, NOW, PASSWORD } from "./accounts-in-memory.ts";

it.effect("a change of an account can begin to follow all its folders", () => {
  const { enter, services, state } = accountsInMemory();
  enter();
  const note = (what: string) => Effect.sync(() => void state.did.push(what));
  const layer = AccountChanges.layer.pipe(
    Layer.provide(
      Layer.mergeAll(
        services,
        Layer.mock(Folders, { sync: () => Effect.succeed({ records: [], listed: [] } as never) }),
        Layer.mock(FollowedMailboxes, { beginAll: (_, present) => note(`begin ${present.size}`) }),
        Layer.mock(AccountWatches, {
          isOursAlone: false,
          changed: Effect.never,
          selectWatched: () => Effect.succeed(new Set()),
          add: (_, until) => Effect.as(note(`watched for ${until - NOW}`), true),
        }),
      ),
    ),
  );
  return Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    const { change } = yield* AccountChanges;
    assert.isNull((yield* change(ME, { name: "New" }, null)).follow);
    assert.deepStrictEqual(state.did, []);
    assert.deepInclude(yield* change(ME, { follow: "all" }, null), { follow: "all", name: "New" });
    assert.deepStrictEqual(state.did, ["begin 0", "watched for 60000"]);
  }).pipe(Effect.provide(layer));
});

it.effect("a change to other servers and to all folders begins with no folder of the former server [S10.3-26]", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW);
    for (const isWatched of [false, true]) {
      const { enter, services, state } = accountsInMemory();
      enter();
      if (isWatched) state.watched.add(ME);
      const status = { uidValidity: 3, uidNext: 5 };
      const listed = { records: [{ key: "inbox" }, { key: "f_a" }], listed: [{ status }, { status }] };
      const note = (what: string) => Effect.sync(() => void state.did.push(what));
      const layer = AccountChanges.layer.pipe(
        Layer.provide(
          Layer.mergeAll(
            services,
            Layer.mock(Folders, { sync: () => Effect.succeed(listed as never) }),
            Layer.mock(FollowedMailboxes, {
              beginAll: (_, present) => note(`begin ${[...present.keys()]}`),
              endAll: () => note("other folders end"),
              moveTo: (_, folder, cursor) => note(`${folder} moves to ${cursor.uidNext}`),
            }),
          ),
        ),
      );
      const patch = { follow: "all", password: PASSWORD, servers: at("new.test") } as const;
      const changed = yield* Effect.provide(
        Effect.flatMap(AccountChanges, ({ change }) => change(ME, patch, null)),
        layer,
      );
      assert.deepInclude(changed, { follow: "all", servers: at("new.test") });
      assert.isTrue(state.watched.has(ME));
      assert.deepStrictEqual(
        state.did.filter((what) => /^(begin|other|inbox)/.test(what)),
        ["inbox moves to 10", "other folders end", "other folders end"],
      );
    }
  }),
);

it.effect("a sign-in watches an account that follows all its folders, from now on", () =>
  Effect.gen(function* () {
    const home = AccountId("me@home.test");
    yield* TestClock.setTime(NOW);
    for (const [follow, watched] of [
      ["all", ["watched for 0"]],
      ["inbox", []],
    ] as const) {
      const { enter, services, state } = accountsInMemory();
      enter({ follow }, home);
      yield* Effect.provide(
        Effect.flatMap(SignIn, ({ withPassword }) =>
          withPassword(home, PASSWORD, { network: "192.0.2.1", userAgent: "test" }),
        ),
        SignIn.layer.pipe(Layer.provide(AccountRemoval.layer), Layer.provide(services)),
      );
      assert.deepStrictEqual(
        state.did.filter((what) => what.startsWith("watched")),
        [...watched],
      );
    }
  }),
);
