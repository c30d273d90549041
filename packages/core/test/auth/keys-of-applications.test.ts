import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { Keys, type ServiceKey, ServiceKeys } from "../../src/auth/index.ts";
import { keyFaults } from "../../src/auth/key-faults.ts";
import type { KeyRequest } from "../../src/auth/KeyRequest.ts";
import { serviceKeyIdOf } from "../../src/auth/service-key.ts";
import { Creations } from "../../src/creations/index.ts";
import { AllAccountData } from "../../src/shared/index.ts";
import { noTransaction, numberedIds, readableHashes } from "../doubles.ts";

const NOW = 1_900_000_000_000;

const REQUEST: KeyRequest = {
  name: "CRM",
  application: null,
  scopes: ["mail:read"],
  accounts: null,
  networks: null,
  expiresAt: null,
  sendPerDay: null,
  notify: null,
};

describe("the request for a key", () => {
  const faults = (over: Partial<KeyRequest>) => keyFaults({ ...REQUEST, ...over }, NOW).map(({ field }) => field);

  it("is sound with a name of 1 to 200 characters, a scope, and whole numbers ahead [S10.2-1]", () => {
    assert.deepStrictEqual(faults({}), []);
    assert.deepStrictEqual(faults({ name: "n".repeat(200), application: "a".repeat(128) }), []);
    assert.deepStrictEqual(faults({ name: "n", application: "a" }), []);
    assert.deepStrictEqual(faults({ expiresAt: NOW + 1, sendPerDay: 1, notify: "ops@example.org" }), []);
  });

  it.each<[Partial<KeyRequest>, string]>([
    [{ name: "" }, "name"],
    [{ name: "n".repeat(201) }, "name"],
    [{ application: "" }, "application"],
    [{ application: "a".repeat(129) }, "application"],
    [{ scopes: [] }, "scopes"],
    [{ expiresAt: NOW }, "expiresAt"],
    [{ expiresAt: NOW - 1 }, "expiresAt"],
    [{ sendPerDay: 0 }, "sendPerDay"],
    [{ sendPerDay: 1.5 }, "sendPerDay"],
    [{ notify: "nobody" }, "notify"],
  ])("is refused for %j by the name of the field", (over, field) => {
    assert.deepStrictEqual(faults(over), [field]);
  });

  it("is refused with all fields at fault and what a name must be", () => {
    const all = keyFaults({ ...REQUEST, name: "", scopes: [], notify: "" }, NOW);
    assert.deepStrictEqual(
      all.map(({ field }) => field),
      ["name", "scopes", "notify"],
    );
    assert.strictEqual(all[0]?.message, "must not be empty");
  });
});

/** Keys by their ids with their hashes; what ended of keys and applications, in order. */
const world = (ends: ReadonlyArray<{ readonly messages?: number; readonly endpoints?: number }> = []) => {
  const stored = new Map<string, { readonly key: ServiceKey; readonly hash: string }>();
  const ended: Array<string> = [];
  const layer = Keys.layer.pipe(
    Layer.provide([
      Layer.mock(ServiceKeys, {
        insert: (key, hash) => Effect.sync(() => void stored.set(key.id, { key, hash })),
        find: (id) => Effect.sync(() => Option.map(Option.fromUndefinedOr(stored.get(id)), ({ key }) => key)),
        remove: (id) => Effect.sync(() => stored.delete(id)),
        removeApplication: (name) =>
          Effect.sync(() => {
            const ids = [...stored.values()].filter(({ key }) => key.application === name).map(({ key }) => key.id);
            for (const id of ids) stored.delete(id);
            return ids;
          }),
        list: Effect.sync(() => [...stored.values()].map(({ key }) => key)),
      }),
      readableHashes,
      numberedIds,
      noTransaction,
      Layer.mock(Creations, {
        once: (_, __, create) => create({ begin: () => Effect.void, complete: () => Effect.void }),
      }),
      Layer.succeed(AllAccountData, [
        ...ends.map((end, n) => ({
          name: `domain ${n}`,
          endKey: (id: string) => Effect.sync(() => (ended.push(`key ${id}`), end)),
          endApplication: (name: string) => Effect.sync(() => (ended.push(`application ${name}`), end)),
        })),
        { name: "without any" },
      ]),
    ]),
  );
  return {
    stored,
    ended,
    run: <A, E>(body: (keys: Keys["Service"]) => Effect.Effect<A, E>) =>
      Effect.andThen(TestClock.setTime(NOW), Effect.provide(Effect.flatMap(Keys, body), layer)),
  };
};

describe("a new key", () => {
  it.effect("is shown once, stored as a hash, and has everything that was asked for [S10.2-1]", () =>
    Effect.gen(function* () {
      const { run, stored } = world();
      const request: KeyRequest = {
        name: "CRM",
        application: "crm",
        scopes: ["mail:read", "events"],
        accounts: ["a@x.test"],
        networks: ["10.0.0.0/8"],
        expiresAt: NOW + 1,
        sendPerDay: 5,
        notify: "ops@x.test",
      };
      const { key, text } = yield* run(({ make }) => make(request));
      assert.deepStrictEqual(key, { ...request, application: "crm", id: key.id, createdAt: NOW, lastUsedAt: null });
      const shown = text === null ? "" : Redacted.value(text);
      assert.strictEqual(serviceKeyIdOf(shown), key.id);
      assert.deepStrictEqual(stored.get(key.id), { key, hash: `hash of ${shown}` });
    }),
  );

  it.effect("is an application of its own where the request names none", () =>
    Effect.gen(function* () {
      const { key } = yield* world().run(({ make }) => make(REQUEST));
      assert.strictEqual(key.application, key.id);
    }),
  );

  it.effect("is not stored where the request is at fault", () =>
    Effect.gen(function* () {
      const { run, stored } = world();
      const refusal = yield* run(({ make }) => Effect.flip(make({ ...REQUEST, name: "" })));
      assert.strictEqual(refusal._tag, "InputInvalid");
      assert.strictEqual(stored.size, 0);
    }),
  );
});

describe("a deleted key", () => {
  it.effect("ends what every domain has of it, and says how much that was [S10.2-3]", () =>
    Effect.gen(function* () {
      const { run, ended } = world([{ messages: 2 }, { messages: 3, endpoints: 4 }, { endpoints: 7 }]);
      const total = yield* run(({ make, remove }) => Effect.flatMap(make(REQUEST), ({ key }) => remove(key.id)));
      assert.deepStrictEqual(total, { messages: 5, endpoints: 11 });
      assert.strictEqual(ended.length, 3);
    }),
  );

  it.effect("has to exist, and to be the version that the client names", () =>
    Effect.gen(function* () {
      const { run, stored, ended } = world([{ messages: 1 }]);
      const refusals = yield* run(({ make, remove }) =>
        Effect.gen(function* () {
          const { key } = yield* make(REQUEST);
          const changed = yield* Effect.flip(remove(key.id, ({ createdAt }) => createdAt !== NOW));
          const unknown = yield* Effect.flip(remove("another"));
          return [changed._tag, unknown._tag];
        }),
      );
      assert.deepStrictEqual(refusals, ["KeyChanged", "KeyNotFound"]);
      assert.strictEqual(stored.size, 1);
      assert.deepStrictEqual(ended, []);
    }),
  );
});

describe("a deleted application", () => {
  it.effect("ends what it has and what each of its keys has [S10.2-3] [S10.2-4]", () =>
    Effect.gen(function* () {
      const { run, ended } = world([{ messages: 1, endpoints: 2 }]);
      const { keys, ended: total } = yield* run(({ make, removeApplication }) =>
        Effect.andThen(make({ ...REQUEST, application: "crm" }), removeApplication("crm")),
      );
      assert.strictEqual(keys.length, 1);
      assert.deepStrictEqual(total, { messages: 2, endpoints: 4 });
      assert.deepStrictEqual(ended, ["application crm", `key ${keys[0]}`]);
    }),
  );

  it.effect.each<[string, ReadonlyArray<{ readonly messages?: number; readonly endpoints?: number }>, boolean]>([
    ["without keys, messages and endpoints is not found", [{}], false],
    ["of which only an endpoint is left is deleted", [{ endpoints: 1 }], true],
    ["of which only messages are left is deleted", [{ messages: 1 }], true],
  ])("%s", ([, ends, isFound]) =>
    Effect.gen(function* () {
      const told = yield* world(ends).run(({ removeApplication }) =>
        Effect.match(removeApplication("crm"), { onSuccess: () => "deleted", onFailure: ({ _tag }) => _tag }),
      );
      assert.strictEqual(told, isFound ? "deleted" : "ApplicationNotFound");
    }),
  );
});
