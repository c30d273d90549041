import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { AuditTrail } from "../../src/audit/Audit.ts";
import { Applications, CredentialRelease, Keys, type ServiceKey, ServiceKeys } from "../../src/auth/index.ts";
import type { Application } from "../../src/auth/Application.ts";
import { AllAccountData } from "../../src/shared/neighbours.ts";
import { BARE_KEY, noTransaction, numberedIds, readableHashes, withoutCreationKeys } from "../doubles.ts";

const NOW = 1_900_000_000_000;
const CRM: Application = {
  name: "crm",
  keys: 1,
  suspendedAt: null,
  displayName: null,
  purpose: null,
  colour: null,
  logo: null,
  notify: "ops@x.test",
};
const KEY: ServiceKey = { ...BARE_KEY, id: "k1", application: "crm", createdAt: NOW, lastUsedAt: null };

/** The application `crm` with one key; records in order what happened. */
const world = () => {
  const stored = { application: CRM, key: KEY, whileMailChanges: Effect.void as Effect.Effect<unknown> };
  const happened: Array<string> = [];
  const note = (what: string) => Effect.sync(() => void happened.push(what));
  const setSuspended = (name: string, suspendedAt: number | null) =>
    Effect.sync(() => {
      if (name === "crm") stored.application = { ...stored.application, suspendedAt };
      return name === "crm";
    });
  const layer = Keys.layer.pipe(
    Layer.provideMerge([
      Layer.mock(ServiceKeys, {
        insert: (key) => note(`insert ${key.id}`),
        change: (id, decide) =>
          Effect.sync(() => {
            if (id !== KEY.id) return Option.none();
            const [answer, after] = decide(stored.key);
            stored.key = after;
            return Option.some(answer);
          }),
        find: () => Effect.succeedSome(stored.key),
        remove: (id) => Effect.succeed(id === KEY.id),
        list: (_, limit) => Effect.succeed([stored.key, { ...stored.key, id: "k2" }].slice(0, limit)),
        suspend: (name, now) => Effect.andThen(note(`suspend ${name} at ${now}`), setSuspended(name, now)),
        resume: (name) => Effect.andThen(note(`resume ${name}`), setSuspended(name, null)),
        removeApplication: (name) => Effect.succeed(name === "crm" ? [KEY.id] : []),
      }),
      Layer.mock(Applications, {
        list: (after, limit) =>
          Effect.succeed(["a.b", "crm", "z"].filter((name) => name > after).slice(0, limit)).pipe(
            Effect.map((names) => names.map((name) => ({ ...CRM, name }))),
          ),
        change: (name, decide) =>
          Effect.sync(() => {
            if (name !== "crm") return Option.none();
            const after = decide(stored.application);
            stored.application = after ?? stored.application;
            return Option.some(after);
          }),
        find: () => Effect.sync(() => Option.some(stored.application)),
        forget: (name) => note(`forget ${name}`),
      }),
      Layer.mock(CredentialRelease, {}),
      Layer.succeed(AllAccountData, [
        {
          name: "mail",
          setSuspended: (name, isSuspended) =>
            Effect.andThen(
              Effect.suspend(() => stored.whileMailChanges),
              note(`mail of ${name} waits: ${isSuspended}`),
            ),
        },
        { name: "without any" },
      ]),
      Layer.succeed(AuditTrail, (operation, { target }) => note(`audit ${operation} ${target}`)),
      readableHashes,
      numberedIds,
      noTransaction,
      withoutCreationKeys,
    ]),
  );
  return {
    stored,
    happened,
    run: <A, E>(body: (keys: Keys["Service"]) => Effect.Effect<A, E>) =>
      Effect.andThen(TestClock.setTime(NOW), Effect.provide(Effect.flatMap(Keys, body), layer)),
  };
};

type Told = { readonly _tag: string; readonly errors?: ReadonlyArray<{ readonly field: string }> };
/** Returns the tag of a refusal, and the fields that are wrong. */
const refusal = <E extends Told>(effect: Effect.Effect<unknown, E>) =>
  Effect.map(Effect.flip(effect), ({ _tag, errors = [] }) => [_tag, ...errors.map(({ field }) => field)]);

describe("an application", () => {
  it.effect("gets the changed fields, keeps the others, and loses those that are null", () =>
    Effect.gen(function* () {
      const { run, stored, happened } = world();
      const changes = { displayName: "CRM of X", colour: "#0c5c4f", notify: null };
      const changed = yield* run(({ changeApplication }) => changeApplication("crm", changes));
      assert.deepStrictEqual(changed, { ...CRM, ...changes });
      assert.deepStrictEqual(stored.application, changed);
      const notified = yield* run(({ changeApplication }) => changeApplication("crm", { notify: "a@y.test" }));
      assert.strictEqual(notified.notify, "a@y.test");
      assert.deepStrictEqual(happened, Array(2).fill("audit keys.changeApplication crm"));
    }),
  );

  it.effect("is unchanged by invalid fields, for another version, or if it does not exist", () =>
    Effect.gen(function* () {
      const { run, stored, happened } = world();
      const told = (...given: Parameters<Keys["Service"]["changeApplication"]>) =>
        refusal(run(({ changeApplication }) => changeApplication(...given)));
      assert.deepStrictEqual(yield* told("crm", { notify: "no address" }), ["InputInvalid", "notify"]);
      assert.deepStrictEqual(yield* told("crm", { displayName: "a\nb", purpose: "", colour: "red", logo: "x" }), [
        "InputInvalid",
        "displayName",
        "purpose",
        "colour",
        "logo",
      ]);
      assert.deepStrictEqual(yield* told("", { purpose: "x" }), ["InputInvalid", "name"]);
      assert.deepStrictEqual(yield* told("crm", { purpose: "x" }, ({ keys }) => keys === 2), ["ApplicationChanged"]);
      assert.deepStrictEqual(yield* told("other", { purpose: "x" }), ["ApplicationNotFound"]);
      assert.deepStrictEqual([stored.application, happened], [CRM, []]);
    }),
  );

  it.effect("is suspended at its keys first, then in every domain, and resumed likewise", () =>
    Effect.gen(function* () {
      const { run, happened } = world();
      yield* run(({ suspend }) => suspend("crm"));
      yield* run(({ resume }) => resume("crm"));
      assert.deepStrictEqual(happened, [
        `suspend crm at ${NOW}`,
        "audit keys.suspend crm",
        "mail of crm waits: true",
        "resume crm",
        "audit keys.resume crm",
        "mail of crm waits: false",
      ]);
    }),
  );

  it.effect(
    "that is resumed while it is being suspended has no mail that waits, and the other way round [S10.2-30]",
    () =>
      Effect.gen(function* () {
        for (const isSuspended of [true, false]) {
          const { run, stored, happened } = world();
          const set = (is: boolean) => run(({ suspend, resume }) => (is ? suspend("crm") : resume("crm")));
          stored.whileMailChanges = Effect.suspend(() => {
            stored.whileMailChanges = Effect.void;
            return Effect.orDie(set(!isSuspended));
          });
          yield* set(isSuspended);
          assert.strictEqual(happened.at(-1), `mail of crm waits: ${!isSuspended}`);
        }
      }),
  );

  it.effect("without a key can be neither suspended nor resumed", () =>
    Effect.gen(function* () {
      const { run, happened } = world();
      assert.deepStrictEqual(yield* refusal(run(({ suspend }) => suspend("other"))), ["ApplicationNotFound"]);
      assert.deepStrictEqual(yield* refusal(run(({ resume }) => resume("other"))), ["ApplicationNotFound"]);
      assert.deepStrictEqual(happened, [`suspend other at ${NOW}`, "resume other"]);
      assert.deepStrictEqual(yield* refusal(run(({ suspend }) => suspend(""))), ["InputInvalid", "name"]);
      assert.strictEqual(happened.length, 2);
    }),
  );

  it.effect("that is deleted loses its profile too", () =>
    Effect.gen(function* () {
      const { run, happened } = world();
      yield* run(({ removeApplication }) => removeApplication("crm"));
      assert.deepStrictEqual(happened, ["forget crm", "audit keys.removeApplication crm"]);
      const { run: runAgain, happened: refused } = world();
      assert.deepStrictEqual(yield* refusal(runAgain(({ removeApplication }) => removeApplication(""))), [
        "InputInvalid",
        "name",
      ]);
      assert.deepStrictEqual(refused, []);
    }),
  );

  it.effect("is listed by its name, from the last name of the page before on", () =>
    Effect.gen(function* () {
      const { run } = world();
      const names = (cursor?: string) =>
        Effect.map(
          run(({ applications }) => applications({ limit: 2, cursor })),
          ({ items, nextCursor }) => [...items.map(({ name }) => name), nextCursor],
        );
      assert.deepStrictEqual(yield* names(), ["a.b", "crm", "0.crm"]);
      assert.deepStrictEqual(yield* names("0.crm"), ["z", null]);
      assert.deepStrictEqual(yield* names("0.a.b"), ["crm", "z", null]);
    }),
  );
});

it.effect("keys are listed with a cursor of the time and the id of the last key", () =>
  Effect.gen(function* () {
    const { run } = world();
    const page = yield* run((keys) => keys.page({ limit: 1 }));
    assert.deepStrictEqual(page, { items: [KEY], nextCursor: `${NOW}.k1` });
  }),
);

it.effect("a new, changed and deleted key is audited", () =>
  Effect.gen(function* () {
    const { run, happened } = world();
    const { key } = yield* run(({ make }) => make(BARE_KEY));
    yield* run(({ change }) => change("k1", { name: "Other" }));
    yield* run(({ remove }) => remove("k1"));
    assert.deepStrictEqual(happened, [
      `insert ${key.id}`,
      `audit keys.make ${key.id}`,
      "audit keys.change k1",
      "audit keys.remove k1",
    ]);
    for (const wrong of [refusal(run(({ change }) => change("", {}))), refusal(run(({ remove }) => remove("")))])
      assert.deepStrictEqual(yield* wrong, ["InputInvalid", "id"]);
  }),
);
