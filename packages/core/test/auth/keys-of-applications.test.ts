import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { Applications, CredentialRelease, Keys, type ServiceKey, ServiceKeys } from "../../src/auth/index.ts";
import { keyFaults } from "../../src/auth/key-faults.ts";
import type { KeyRequest } from "../../src/auth/KeyRequest.ts";
import { serviceKeyIdOf } from "../../src/auth/KeyAuthentication.ts";
import { AccountId } from "../../src/shared/index.ts";
import { AllAccountData } from "../../src/shared/neighbours.ts";
import { BARE_KEY, noTransaction, numberedIds, readableHashes, withoutCreationKeys } from "../doubles.ts";

const NOW = 1_900_000_000_000;

describe("the request for a key", () => {
  const faults = (over: Partial<KeyRequest>) => keyFaults({ ...BARE_KEY, ...over }, NOW).map(({ field }) => field);

  it("is valid with a name of 1 to 200 characters, a scope, an expiry in the future and a positive quota [S10.2-1]", () => {
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

  it("is refused with all invalid fields and the rule of names", () => {
    const all = keyFaults({ ...BARE_KEY, name: "", scopes: [], notify: "" }, NOW);
    assert.deepStrictEqual(
      all.map(({ field }) => field),
      ["name", "scopes", "notify"],
    );
    assert.strictEqual(all[0]?.message, "must not be empty");
  });
});

/** Keys by their ids with their hashes. Records in order the data of keys and applications that ended. */
const world = (
  ends: ReadonlyArray<{
    readonly messages?: number;
    readonly endpoints?: number;
    readonly links?: number;
    readonly grants?: number;
    readonly accounts?: ReadonlyArray<AccountId>;
  }> = [],
) => {
  const released: Array<AccountId> = [];
  const stored = new Map<string, { readonly key: ServiceKey; readonly hash: string }>();
  const ended: Array<string> = [];
  /** The fields that another process changes before a key is locked. */
  const changedElsewhere: Partial<ServiceKey> = {};
  const layer = Keys.layer.pipe(
    Layer.provide([
      Layer.mock(ServiceKeys, {
        insert: (key, hash) => Effect.sync(() => void stored.set(key.id, { key, hash })),
        find: (id) => Effect.sync(() => Option.map(Option.fromUndefinedOr(stored.get(id)), ({ key }) => key)),
        change: (id, decide) =>
          Effect.sync(() => {
            const known = stored.get(id);
            if (known === undefined) return Option.none();
            const [answer, key] = decide({ ...known.key, ...changedElsewhere });
            stored.set(id, { ...known, key });
            return Option.some(answer);
          }),
        remove: (id) => Effect.sync(() => stored.delete(id)),
        removeApplication: (name) =>
          Effect.sync(() => {
            const ids = [...stored.values()].filter(({ key }) => key.application === name).map(({ key }) => key.id);
            for (const id of ids) stored.delete(id);
            return ids;
          }),
        list: () => Effect.sync(() => [...stored.values()].map(({ key }) => key)),
      }),
      Layer.mock(CredentialRelease, { release: (account) => Effect.sync(() => void released.push(account)) }),
      Layer.mock(Applications, { forget: () => Effect.void }),
      readableHashes,
      numberedIds,
      noTransaction,
      withoutCreationKeys,
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
    changedElsewhere,
    ended,
    released,
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

  it.effect("is its own application if the request names none", () =>
    Effect.gen(function* () {
      const { key } = yield* world().run(({ make }) => make(BARE_KEY));
      assert.strictEqual(key.application, key.id);
    }),
  );

  it.effect("is not stored if the request is invalid", () =>
    Effect.gen(function* () {
      const { run, stored } = world();
      const refusal = yield* run(({ make }) => Effect.flip(make({ ...BARE_KEY, name: "" })));
      assert.strictEqual(refusal._tag, "InputInvalid");
      assert.strictEqual(stored.size, 0);
    }),
  );
});

describe("a changed key", () => {
  it.effect("has the fields of the request, null for no limit, and is the same key otherwise [S10.2-24]", () =>
    Effect.gen(function* () {
      const { run, stored } = world();
      const { key } = yield* run(({ make }) => make({ ...BARE_KEY, networks: ["10.0.0.0/8"], sendPerDay: 5 }));
      const { hash } = stored.get(key.id)!;
      const changes = { name: "Other", networks: null, expiresAt: NOW + 1 };
      assert.deepStrictEqual(yield* run(({ change }) => change(key.id, changes)), { ...key, ...changes });
      assert.deepStrictEqual(stored.get(key.id), { key: { ...key, ...changes }, hash });
    }),
  );

  it.effect("may have expired: unchanged fields are not checked, and a later expiry revives the key [S10.2-25]", () =>
    Effect.gen(function* () {
      const { run, stored } = world();
      const { key } = yield* run(({ make }) => make({ ...BARE_KEY, expiresAt: NOW + 1 }));
      stored.set(key.id, { key: { ...key, expiresAt: NOW - 1 }, hash: "hash" });
      yield* run(({ change }) => change(key.id, { name: "Other" }));
      yield* run(({ change }) => change(key.id, { expiresAt: NOW + 2 }));
      assert.strictEqual(stored.get(key.id)?.key.expiresAt, NOW + 2);
    }),
  );

  it.effect("stays unchanged if the change is invalid or for another version, or the key is unknown", () =>
    Effect.gen(function* () {
      const { run, stored } = world();
      const { key } = yield* run(({ make }) => make(BARE_KEY));
      const refused = (...given: Parameters<Keys["Service"]["change"]>) =>
        Effect.map(
          run(({ change }) => Effect.flip(change(...given))),
          (error) => (error._tag === "InputInvalid" ? error.errors.map(({ field }) => field) : error._tag),
        );
      assert.deepStrictEqual(yield* refused(key.id, { name: "", networks: ["x"], expiresAt: NOW }), [
        "name",
        "networks.0",
        "expiresAt",
      ]);
      assert.deepStrictEqual(yield* refused(key.id, { name: "Other" }, () => false), "KeyChanged");
      assert.deepStrictEqual(yield* refused("another", { name: "Other" }), "KeyNotFound");
      assert.deepStrictEqual(stored.get(key.id)?.key, key);
    }),
  );
});

describe("a deleted key", () => {
  it.effect("ends its data in every domain, and counts the ended records [S10.2-3]", () =>
    Effect.gen(function* () {
      const { run, ended } = world([
        { messages: 2 },
        { messages: 3, endpoints: 4, links: 1 },
        { endpoints: 7, grants: 2 },
      ]);
      const total = yield* run(({ make, remove }) => Effect.flatMap(make(BARE_KEY), ({ key }) => remove(key.id)));
      assert.deepStrictEqual(total, { messages: 5, endpoints: 11, links: 1, grants: 2 });
      assert.strictEqual(ended.length, 3);
    }),
  );

  it.effect("releases the credential of each account that may no longer need it, once [S3.7-6]", () =>
    Effect.gen(function* () {
      const [a, b] = [AccountId("a@x.test"), AccountId("b@x.test")];
      const { run, released } = world([{ messages: 3, accounts: [a, b, a] }, { accounts: [b] }]);
      yield* run(({ make, remove }) => Effect.flatMap(make(BARE_KEY), ({ key }) => remove(key.id, "cancel")));
      assert.deepStrictEqual(released, [a, b]);
      yield* run(({ removeApplication }) => removeApplication("crm"));
      assert.deepStrictEqual(released, [a, b, a, b]);
    }),
  );

  it.effect("must exist in the version that the client names", () =>
    Effect.gen(function* () {
      const { run, stored, ended } = world([{ messages: 1 }]);
      const refusals = yield* run(({ make, remove }) =>
        Effect.gen(function* () {
          const { key } = yield* make(BARE_KEY);
          const changed = yield* Effect.flip(remove(key.id, "hold", ({ createdAt }) => createdAt !== NOW));
          const unknown = yield* Effect.flip(remove("another"));
          return [changed._tag, unknown._tag];
        }),
      );
      assert.deepStrictEqual(refusals, ["KeyChanged", "KeyNotFound"]);
      assert.strictEqual(stored.size, 1);
      assert.deepStrictEqual(ended, []);
    }),
  );

  it.effect("is not deleted if another process changes it meanwhile [S2.7-2]", () =>
    Effect.gen(function* () {
      const { run, stored, changedElsewhere } = world();
      const refusal = yield* run(({ make, remove }) =>
        Effect.gen(function* () {
          const { key } = yield* make(BARE_KEY);
          Object.assign(changedElsewhere, { name: "Other" });
          return yield* Effect.flip(remove(key.id, "hold", ({ name }) => name === BARE_KEY.name));
        }),
      );
      assert.strictEqual(refusal._tag, "KeyChanged");
      assert.strictEqual(stored.size, 1);
    }),
  );
});

describe("a deleted application", () => {
  it.effect("ends its own data and that of each of its keys [S10.2-3] [S10.2-4]", () =>
    Effect.gen(function* () {
      const { run, ended } = world([{ messages: 1, endpoints: 2 }]);
      const { keys, ended: total } = yield* run(({ make, removeApplication }) =>
        Effect.andThen(make({ ...BARE_KEY, application: "crm" }), removeApplication("crm")),
      );
      assert.strictEqual(keys.length, 1);
      assert.deepStrictEqual(total, { messages: 2, endpoints: 4, links: 0, grants: 0 });
      assert.deepStrictEqual(ended, ["application crm", `key ${keys[0]}`]);
    }),
  );

  it.effect.each<
    [
      string,
      ReadonlyArray<{
        readonly messages?: number;
        readonly endpoints?: number;
        readonly links?: number;
        readonly grants?: number;
      }>,
      boolean,
    ]
  >([
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
