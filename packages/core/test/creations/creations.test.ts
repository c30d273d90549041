import { it } from "@effect/vitest";
import { Duration, Effect, Fiber, Layer, Option, Stream } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { type CreationRecord, CreationRecords, Creations } from "../../src/creations/index.ts";
import { AccountId, Digest, Entropy } from "../../src/shared/index.ts";
import { numberedIds } from "../doubles.ts";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

const NOW = 1_900_000_000_000;
const DAY = Duration.toMillis("1 day");
const LEASE = Duration.toMillis("2 minutes");
const ME = AccountId("me@x.test");

class Refused {
  readonly _tag = "Refused";
}

/** Creates things with unique names; `remote` things are stored on a mail server. */
const world = () => {
  const records = new Map<string, CreationRecord>();
  const things = new Set<string>();
  const forgotten: Array<unknown> = [];
  const entropy = Effect.runSync(Effect.provide(Entropy, numberedIds));
  const layer = Creations.layer.pipe(
    Layer.provide([
      Layer.mock(CreationRecords, {
        find: (caller, key) => Effect.sync(() => Option.fromUndefinedOr(records.get(`${caller} ${key}`))),
        take: (record, expired) =>
          Effect.sync(() => {
            const name = `${record.caller} ${record.key}`;
            const isFree = (records.get(name)?.createdAt ?? expired) <= expired;
            if (isFree) records.set(name, record);
            return isFree;
          }),
        replace: (record, token) =>
          Effect.sync(() => {
            const name = `${record.caller} ${record.key}`;
            if (records.get(name)?.lease?.token !== token) return false;
            records.set(name, record);
            return true;
          }),
        forget: (before, limit) => Effect.sync(() => forgotten.push(before, limit)),
      }),
      Layer.mock(Digest, {
        sha256: (bytes) =>
          Effect.map(Stream.runCollect(bytes), (parts) =>
            [...parts].map((part) => new TextDecoder().decode(part)).join(""),
          ),
      }),
      Layer.succeed(Entropy, entropy),
    ]),
  );
  const run = <A, E>(use: (creations: Creations["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(Effect.flatMap(Creations, use), layer);
  /** Creates a thing; `meanwhile` runs before, and the creation may fail then. */
  const create = (
    request: string,
    key: string | null = "key",
    { remote = false, fails = false, meanwhile = () => {} } = {},
  ) =>
    run((creations) =>
      creations.once(
        key === null ? undefined : { caller: "c", key, account: ME },
        { operation: "make", request },
        (claim) =>
          Effect.gen(function* () {
            if (remote) yield* claim.begin(`place of ${request}`);
            meanwhile();
            if (fails) return yield* Effect.fail(new Refused());
            things.add(request);
            yield* claim.complete(`id of ${request}`);
            return "created";
          }),
        (resource, claim) =>
          Effect.suspend(() => {
            if (![`id of ${request}`, `place of ${request}`].includes(resource) || !things.has(request))
              return Effect.succeedNone;
            return Effect.as(claim.complete(`id of ${request}`), Option.some(`found by ${resource}`));
          }),
      ),
    );
  return { records, things, forgotten, run, create };
};
const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);

describe("a creation", () => {
  it.effect("without a key happens each time, and records nothing", () =>
    Effect.gen(function* () {
      const { create, records } = world();
      expect([yield* create("a", null), yield* create("a", null)]).toEqual(["created", "created"]);
      expect(records.size).toBe(0);
    }),
  );

  it.effect("with a key happens once for a day, and another request under the key is refused", () =>
    Effect.gen(function* () {
      const { create, records } = world();
      yield* TestClock.setTime(NOW);
      expect(yield* create("a")).toBe("created");
      expect([...records.values()]).toEqual([
        {
          caller: "c",
          key: "key",
          account: ME,
          requestHash: expect.any(String),
          resource: "id of a",
          createdAt: NOW,
          lease: null,
        },
      ]);
      expect(yield* create("a")).toBe("found by id of a");
      expect(yield* tagOf(create("b"))).toBe("IdempotencyKeyReused");
      expect(yield* create("b", "other")).toBe("created");
      yield* TestClock.setTime(NOW + DAY - 1);
      expect(yield* tagOf(create("b"))).toBe("IdempotencyKeyReused");
      yield* TestClock.setTime(NOW + DAY);
      expect(yield* create("b")).toBe("created");
    }),
  );

  it.effect("is not repeated if its record was deleted since", () =>
    Effect.gen(function* () {
      const { create, things } = world();
      yield* create("a");
      things.clear();
      expect(yield* tagOf(create("a"))).toBe("CreatedThenDeleted");
    }),
  );

  it.effect("on a mail server is in progress for two minutes, and then completed by a repeat", () =>
    Effect.gen(function* () {
      const { create, records, things } = world();
      yield* TestClock.setTime(NOW);
      expect(yield* create("a", "key", { remote: true })).toBe("created");
      const [record] = [...records.values()];
      records.set("c key", { ...record!, resource: "place of a", lease: { token: "gone", until: NOW + LEASE } });
      yield* TestClock.setTime(NOW + LEASE - 1);
      expect(yield* tagOf(create("a"))).toBe("CreationInProgress");
      yield* TestClock.setTime(NOW + LEASE);
      expect(yield* create("a")).toBe("found by place of a");
      expect(records.get("c key")).toMatchObject({ resource: "id of a", lease: null });
      // Nothing was stored, so the repeat creates the thing.
      records.set("c key", { ...record!, resource: "place of a", lease: { token: "gone", until: NOW } });
      things.clear();
      expect(yield* create("a")).toBe("created");
    }),
  );

  it.effect("is in progress for as long as the first request takes [S2.6-8]", () =>
    Effect.gen(function* () {
      const { create, records, run } = world();
      yield* TestClock.setTime(NOW);
      const slow = yield* Effect.forkChild(
        run((creations) =>
          creations.once(
            { caller: "c", key: "key", account: ME },
            { operation: "make", request: "a" },
            (claim) => claim.begin("place of a").pipe(Effect.delay("1 minute"), Effect.andThen(Effect.never)),
            () => Effect.succeedNone,
          ),
        ),
      );
      yield* TestClock.adjust("9 minutes");
      expect(yield* tagOf(create("a"))).toBe("CreationInProgress");
      yield* Fiber.interrupt(slow);
      expect(records.get("c key")?.lease?.until).toBe(NOW);
      yield* TestClock.adjust("9 minutes");
      expect(records.get("c key")?.lease?.until).toBe(NOW);
    }),
  );

  it.effect("releases its key if it fails", () =>
    Effect.gen(function* () {
      const { create, records } = world();
      yield* TestClock.setTime(NOW);
      expect(yield* tagOf(create("a", "key", { fails: true }))).toBe("Refused");
      expect(records.size).toBe(0);
      expect(yield* tagOf(create("a", "key", { remote: true, fails: true }))).toBe("Refused");
      expect(records.get("c key")?.lease?.until).toBe(NOW);
      expect(yield* create("a", "key", { remote: true })).toBe("created");
      expect(records.get("c key")).toMatchObject({ resource: "id of a", lease: null });
    }),
  );

  it.effect("leaves a key to another repeat that took and released it at the same moment [S2.6-9]", () =>
    Effect.gen(function* () {
      const { create, records, run } = world();
      yield* TestClock.setTime(NOW);
      yield* tagOf(create("a", "key", { remote: true, fails: true }));
      const other = { ...records.get("c key")!, lease: { token: "other", until: NOW } };
      const repeat = run((creations) =>
        creations.once(
          { caller: "c", key: "key", account: ME },
          { operation: "make", request: "a" },
          (claim) => {
            records.set("c key", other);
            return claim.begin("place of a");
          },
          () => Effect.succeedNone,
        ),
      );
      expect(yield* tagOf(repeat)).toBe("CreationInProgress");
      expect(records.get("c key")).toBe(other);
    }),
  );

  it.effect("records its place on the mail server, under a lease of two minutes", () =>
    Effect.gen(function* () {
      const { create, records } = world();
      yield* TestClock.setTime(NOW);
      let seen: CreationRecord | undefined;
      yield* create("a", "key", { remote: true, meanwhile: () => (seen = records.get("c key")) });
      expect(seen).toMatchObject({ resource: "place of a", lease: { until: NOW + LEASE } });
    }),
  );

  it.effect("that another request took over is reported as in progress, whatever error it had", () =>
    Effect.gen(function* () {
      for (const lease of [null, { token: "other", until: NOW + 1 }]) {
        const { create, records } = world();
        yield* TestClock.setTime(NOW);
        yield* create("a");
        const [record] = [...records.values()];
        records.clear();
        const meanwhile = () => void records.set("c key", { ...record!, lease });
        expect(yield* tagOf(create("a", "key", { fails: true, meanwhile }))).toBe("CreationInProgress");
        records.clear();
        expect(yield* tagOf(create("a", "key", { meanwhile }))).toBe("CreationInProgress");
      }
    }),
  );

  it.effect("needs a key of at most 256 characters", () =>
    Effect.gen(function* () {
      const { create } = world();
      expect(yield* tagOf(create("a", "k".repeat(257)))).toBe("InputInvalid");
      expect(yield* create("a", "k".repeat(256))).toBe("created");
    }),
  );

  it.effect("is forgotten after a day", () =>
    Effect.gen(function* () {
      const { run, forgotten } = world();
      yield* run((creations) => creations.forgetOld(NOW, 7));
      expect(forgotten).toEqual([NOW - DAY, 7]);
    }),
  );
});
