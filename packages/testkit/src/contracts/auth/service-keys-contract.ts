import { assert, layer } from "@effect/vitest";
import { type ServiceKey, ServiceKeys } from "@postern/core/auth";
import type { Transaction } from "@postern/core/shared";
import { Effect, Fiber, type Layer, Option } from "effect";
import { assertChangesWait } from "../assert-changes-wait.ts";

const NOW = 1_900_000_000_000;

const random = () => globalThis.crypto.randomUUID();

const newKey = (over: Partial<ServiceKey> = {}): ServiceKey => ({
  id: random(),
  name: "Backend ünïcode",
  application: random(),
  scopes: ["mail:read", "events"],
  accounts: ["a@example.com", "*@example.org", "tag:sales"],
  networks: ["192.0.2.0/24", "2001:db8::/32"],
  createdAt: NOW,
  expiresAt: NOW + 1_000,
  lastUsedAt: null,
  sendPerDay: 100,
  notify: "ops@example.com",
  ...over,
});

const WITHOUT_LIMITS = { accounts: null, networks: null, expiresAt: null, sendPerDay: null, notify: null } as const;

/** The contract of `ServiceKeys`. */
export const serviceKeysContract = (name: string, live: Layer.Layer<ServiceKeys | Transaction, unknown>) =>
  layer(live)(name, (it) => {
    const inserted = Effect.fnUntraced(function* (over: Partial<ServiceKey> = {}) {
      const key = newKey(over);
      const hash = random();
      yield* (yield* ServiceKeys).insert(key, hash);
      return { key, hash };
    });

    it.effect("finds a key as it was inserted, by its id and its hash", () =>
      Effect.gen(function* () {
        const keys = yield* ServiceKeys;
        for (const over of [{}, WITHOUT_LIMITS, { accounts: [], lastUsedAt: NOW }]) {
          const { key, hash } = yield* inserted(over);
          assert.deepStrictEqual(yield* keys.findByHash(key.id, hash), Option.some(key));
          assert.deepStrictEqual(yield* keys.find(key.id), Option.some(key));
        }
      }),
    );

    it.effect("finds none by another hash, by the hash of another key, or by an unknown id [S10.1-4]", () =>
      Effect.gen(function* () {
        const keys = yield* ServiceKeys;
        const [one, two] = [yield* inserted(), yield* inserted()];
        for (const hash of [two.hash, "", one.hash.slice(0, -1), `${one.hash}x`, one.hash.replace(/^./, "~")]) {
          assert.deepStrictEqual(yield* keys.findByHash(one.key.id, hash), Option.none());
        }
        assert.deepStrictEqual(yield* keys.findByHash(random(), one.hash), Option.none());
        assert.deepStrictEqual(yield* keys.find(random()), Option.none());
      }),
    );

    it.effect("lets a change that changes nothing wait for another transaction, and the other for it", () =>
      Effect.gen(function* () {
        const keys = yield* ServiceKeys;
        const { id } = (yield* inserted()).key;
        yield* assertChangesWait(
          keys.change(id, (key) => [key.name, key]),
          keys.change(id, (key) => [key.name, { ...key, name: `${key.name}x` }]),
        );
      }),
    );

    it.effect("finds each of many keys asked for at once", () =>
      Effect.gen(function* () {
        const keys = yield* ServiceKeys;
        const all = yield* Effect.all(Array.from({ length: 20 }, () => inserted()));
        const found = yield* Effect.forEach(all, ({ key, hash }) => keys.findByHash(key.id, hash), {
          concurrency: "unbounded",
        });
        assert.deepStrictEqual(
          found,
          all.map(({ key }) => Option.some(key)),
        );
      }),
    );

    it.effect("never finds a removed key, even with concurrent reads", () =>
      Effect.gen(function* () {
        const keys = yield* ServiceKeys;
        for (let trial = 0; trial < 50; trial++) {
          const { key, hash } = yield* inserted();
          const asking = Effect.forEach(Array.from({ length: 20 }), () => keys.findByHash(key.id, hash));
          const others = yield* Effect.forkChild(Effect.all([asking, asking, asking], { concurrency: "unbounded" }));
          yield* Effect.yieldNow;
          yield* keys.remove(key.id);
          assert.deepStrictEqual(yield* keys.findByHash(key.id, hash), Option.none());
          yield* Fiber.join(others);
        }
      }),
    );

    it.effect("lists the newest key first", () =>
      Effect.gen(function* () {
        const keys = yield* ServiceKeys;
        const older = yield* inserted({ createdAt: NOW + 1 });
        const newer = yield* inserted({ createdAt: NOW + 2 });
        const ids = [newer.key.id, older.key.id];
        const listed = (yield* keys.list(undefined, 10_000)).filter(({ id }) => ids.includes(id));
        assert.deepStrictEqual(listed, [newer.key, older.key]);
      }),
    );

    it.effect("lists each key after a place once, also those of equal age", () =>
      Effect.gen(function* () {
        const keys = yield* ServiceKeys;
        // These keys are older than the keys of other cases.
        const made = yield* Effect.forEach([5, 5, 5, 7, 9], (createdAt) => inserted({ createdAt }));
        const seen: Array<ServiceKey> = [];
        for (let after: { at: number; id: string } | undefined = { at: 10, id: "" }; ;) {
          const page: ReadonlyArray<ServiceKey> = yield* keys.list(after, 2);
          seen.push(...page);
          yield* inserted({ createdAt: 11 });
          if (page.length < 2) break;
          after = { at: page[1]!.createdAt, id: page[1]!.id };
        }
        const byAge = made
          .map(({ key }) => key)
          .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
        assert.deepStrictEqual(seen, byAge);
      }),
    );

    it.effect("changes what a request may change of a key, and nothing else", () =>
      Effect.gen(function* () {
        const keys = yield* ServiceKeys;
        const { key, hash } = yield* inserted();
        const sendPolicy = { to: ["@example.com"], perDay: 3, approval: "outside" as const };
        for (const changes of [
          WITHOUT_LIMITS,
          { name: "Other", scopes: ["events" as const], accounts: [], sendPerDay: 1 },
          { networks: ["192.0.2.0/25"], expiresAt: NOW + 2, notify: "other@example.com", sendPolicy },
          { sendPolicy: { ...sendPolicy, perDay: 4 } },
        ]) {
          const before = Option.getOrThrow(yield* keys.find(key.id));
          const said = yield* keys.change(key.id, (known) => {
            assert.deepStrictEqual(known, before);
            return ["said", { ...known, ...changes, application: "another", createdAt: 1, lastUsedAt: 2 }];
          });
          assert.deepStrictEqual(said, Option.some("said"));
          assert.deepStrictEqual(yield* keys.findByHash(key.id, hash), Option.some({ ...before, ...changes }));
        }
        assert.deepStrictEqual(yield* keys.change(random(), (known) => [1, known]), Option.none());
      }),
    );

    it.effect("changes one key for concurrent requests one after another", () =>
      Effect.gen(function* () {
        const keys = yield* ServiceKeys;
        const { key } = yield* inserted({ sendPerDay: 1 });
        const more = keys.change(key.id, (known) => [0, { ...known, sendPerDay: known.sendPerDay! + 1 }]);
        yield* Effect.all(
          Array.from({ length: 10 }, () => more),
          { concurrency: "unbounded" },
        );
        assert.strictEqual(Option.getOrThrow(yield* keys.find(key.id)).sendPerDay, 11);
      }),
    );

    it.effect("records a use unless a later one than `replaces` is recorded", () =>
      Effect.gen(function* () {
        const keys = yield* ServiceKeys;
        const { key } = yield* inserted();
        const lastUsed = Effect.map(keys.find(key.id), (found) => Option.getOrThrow(found).lastUsedAt);
        yield* keys.use(key.id, NOW, NOW - 60);
        assert.strictEqual(yield* lastUsed, NOW);
        yield* keys.use(key.id, NOW + 59, NOW - 1);
        assert.strictEqual(yield* lastUsed, NOW);
        yield* keys.use(key.id, NOW + 60, NOW);
        assert.strictEqual(yield* lastUsed, NOW + 60);
        yield* keys.use(random(), NOW, NOW);
      }),
    );

    it.effect("finds the keys of a suspended application with its suspension, until it is resumed or removed", () =>
      Effect.gen(function* () {
        const keys = yield* ServiceKeys;
        const application = random();
        const [one, other] = [yield* inserted({ application }), yield* inserted()];
        const foundAs = Effect.fnUntraced(function* ({ key, hash }: typeof one, suspension: object) {
          const wanted = Option.some({ ...key, ...suspension });
          assert.deepStrictEqual(yield* keys.find(key.id), wanted);
          assert.deepStrictEqual(yield* keys.findByHash(key.id, hash), wanted);
        });
        assert.isFalse(yield* keys.suspend(random(), NOW));
        assert.isFalse(yield* keys.resume(random()));
        for (const at of [NOW, NOW + 5]) assert.isTrue(yield* keys.suspend(application, at));
        const late = yield* inserted({ application });
        for (const key of [one, late]) yield* foundAs(key, { suspendedAt: NOW });
        yield* foundAs(other, {});
        for (let n = 0; n < 2; n++) assert.isTrue(yield* keys.resume(application));
        for (const key of [one, late, other]) yield* foundAs(key, {});
        yield* keys.suspend(application, NOW);
        yield* keys.removeApplication(application);
        yield* foundAs(yield* inserted({ application }), {});
      }),
    );

    it.effect("removes one key, or all of an application, and no other", () =>
      Effect.gen(function* () {
        const keys = yield* ServiceKeys;
        const application = random();
        const [one, two, other] = [
          yield* inserted({ application }),
          yield* inserted({ application }),
          yield* inserted(),
        ];
        const third = yield* inserted({ application });
        assert.isTrue(yield* keys.remove(third.key.id));
        assert.isFalse(yield* keys.remove(third.key.id));
        assert.deepStrictEqual(
          (yield* keys.removeApplication(application)).toSorted(),
          [one.key.id, two.key.id].toSorted(),
        );
        assert.deepStrictEqual(yield* keys.removeApplication(application), []);
        for (const { key, hash } of [one, two, third]) {
          assert.deepStrictEqual(yield* keys.findByHash(key.id, hash), Option.none());
        }
        assert.deepStrictEqual(yield* keys.findByHash(other.key.id, other.hash), Option.some(other.key));
      }),
    );
  });
