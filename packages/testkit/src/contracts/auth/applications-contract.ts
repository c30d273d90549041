import { assert, layer } from "@effect/vitest";
import { Applications, type ServiceKey, ServiceKeys } from "@postern/core/auth";
import { Effect, type Layer, Option } from "effect";

const random = () => globalThis.crypto.randomUUID();

const NOTHING = { displayName: null, purpose: null, colour: null, logo: null, notify: null };
const SHOWN = {
  displayName: "Harbour & Sons",
  purpose: "Keeps the book’s “Ω”.",
  colour: "#0a5c36",
  logo: "iVBORw0KGgo=",
  notify: "ops@x.test",
};

/** The contract of `Applications`. */
export const applicationsContract = (name: string, live: Layer.Layer<Applications | ServiceKeys, unknown>) =>
  layer(live)(name, (it) => {
    const insert = Effect.fnUntraced(function* (application: string) {
      const key: ServiceKey = {
        id: random(),
        name: "A key",
        application,
        scopes: ["mail:read"],
        accounts: null,
        networks: null,
        expiresAt: null,
        createdAt: 1_900_000_000_000,
        lastUsedAt: null,
        sendPerDay: null,
        notify: null,
      };
      yield* (yield* ServiceKeys).insert(key, random());
      return key.id;
    });

    it.effect("exist as long as they have a key, with the number of keys and the time of their suspension", () =>
      Effect.gen(function* () {
        const [applications, keys] = [yield* Applications, yield* ServiceKeys];
        const application = random();
        assert.deepStrictEqual(yield* applications.find(application), Option.none());
        const one = yield* insert(application);
        yield* insert(application);
        const known = { name: application, keys: 2, suspendedAt: null, ...NOTHING };
        assert.deepStrictEqual(yield* applications.find(application), Option.some(known));
        yield* keys.suspend(application, 1_900_000_000_007);
        yield* keys.remove(one);
        const suspended = { ...known, keys: 1, suspendedAt: 1_900_000_000_007 };
        assert.deepStrictEqual(yield* applications.find(application), Option.some(suspended));
        yield* keys.removeApplication(application);
        assert.deepStrictEqual(yield* applications.find(application), Option.none());
      }),
    );

    it.effect("are listed in pages, each application once", () =>
      Effect.gen(function* () {
        const applications = yield* Applications;
        const names = Array.from({ length: 5 }, (_, n) => `${["Ä", "b", "A", "a", "_"][n]!}${random()}`);
        for (const application of names) yield* Effect.andThen(insert(application), insert(application));
        const found: Array<string> = [];
        for (let after = ""; ;) {
          const page = yield* applications.list(after, 2);
          found.push(...page.map((one) => one.name));
          if (page.length < 2) break;
          after = page.at(-1)!.name;
        }
        assert.sameMembers(
          found.filter((one) => names.includes(one)),
          names,
        );
        assert.strictEqual(new Set(found).size, found.length);
      }),
    );

    it.effect("keep the profile that the operator set, until it is removed", () =>
      Effect.gen(function* () {
        const applications = yield* Applications;
        const application = random();
        const change = (changes: object) => applications.change(application, (known) => ({ ...known, ...changes }));
        assert.deepStrictEqual(yield* change(SHOWN), Option.none());
        yield* insert(application);
        const shown = { name: application, keys: 1, suspendedAt: null, ...SHOWN };
        assert.deepStrictEqual(yield* change(SHOWN), Option.some(shown));
        assert.deepStrictEqual(yield* applications.change(application, () => undefined), Option.some(undefined));
        assert.deepInclude(yield* applications.list("", 1_000), shown);
        assert.deepStrictEqual(yield* change({ logo: null }), Option.some({ ...shown, logo: null }));
        yield* applications.forget(application);
        assert.deepStrictEqual(
          yield* applications.find(application),
          Option.some({ name: application, keys: 1, suspendedAt: null, ...NOTHING }),
        );
      }),
    );

    it.effect("are changed one after the other", () =>
      Effect.gen(function* () {
        const applications = yield* Applications;
        const application = random();
        yield* insert(application);
        const add = applications.change(application, (known) => ({ ...known, purpose: `${known.purpose ?? ""}x` }));
        yield* Effect.all(
          Array.from({ length: 20 }, () => add),
          { concurrency: "unbounded" },
        );
        const found = Option.getOrThrow(yield* applications.find(application));
        assert.strictEqual(found.purpose, "x".repeat(20));
      }),
    );
  });
