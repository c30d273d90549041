import { assert, layer } from "@effect/vitest";
import { AuditEntries, type AuditEntry } from "@postern/core/audit";
import { Effect, type Layer } from "effect";

const uuid = () => globalThis.crypto.randomUUID() as string;

const ALL = { key: null, account: null, operations: null };

/** The contract of `AuditEntries` (spec 8.7). */
export const auditEntriesContract = (name: string, live: Layer.Layer<AuditEntries, unknown>) =>
  layer(live)(name, (it) => {
    const newEntry = (key: string, createdAt: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
      id: `aud_${uuid()}`,
      createdAt,
      operation: "send.send",
      key,
      application: "crm",
      account: "acc_one",
      target: "out_1",
      ids: [],
      outcome: "done",
      ...more,
    });
    const insertAll = Effect.fnUntraced(function* (...some: ReadonlyArray<AuditEntry>) {
      yield* (yield* AuditEntries).insert(some);
    });

    it.effect("lists entries newest first, and after a location [S8.7-1]", () =>
      Effect.gen(function* () {
        const { list } = yield* AuditEntries;
        const key = uuid();
        const made = [30, 20, 20, 20, 10].map((createdAt, n) => newEntry(key, createdAt, { id: `aud_${9 - n}${key}` }));
        yield* insertAll(...made.toReversed());
        assert.deepStrictEqual(yield* list({ ...ALL, key }, undefined, 10), made);
        assert.deepStrictEqual(yield* list({ ...ALL, key }, undefined, 2), made.slice(0, 2));
        for (const [n, { createdAt, id }] of made.entries()) {
          assert.deepStrictEqual(yield* list({ ...ALL, key }, { at: createdAt, id }, 10), made.slice(n + 1));
        }
      }),
    );

    it.effect("lists the entries of a key, an account and some operations [S8.7-2]", () =>
      Effect.gen(function* () {
        const { list } = yield* AuditEntries;
        const [key, other, account] = [uuid(), uuid(), `acc_${uuid()}`];
        const sent = newEntry(key, 1_000, { account });
        const removed = newEntry(key, 2_000, { account, operation: "messages.remove", target: null });
        const byOther = newEntry(other, 3_000, { account });
        const byPerson = newEntry(key, 4_000, { account, key: null, application: null });
        const elsewhere = newEntry(key, 5_000, { account: null, target: null, operation: "keys.make" });
        yield* insertAll(sent, removed, byOther, byPerson, elsewhere);
        const found = (filter: Partial<Parameters<typeof list>[0]>) => list({ ...ALL, ...filter }, undefined, 100);
        assert.deepStrictEqual(yield* found({ key }), [elsewhere, removed, sent]);
        assert.deepStrictEqual(yield* found({ account }), [byPerson, byOther, removed, sent]);
        assert.deepStrictEqual(yield* found({ account, operations: ["send.send"] }), [byPerson, byOther, sent]);
        assert.deepStrictEqual(yield* found({ key, operations: ["send.send", "keys.make"] }), [elsewhere, sent]);
        assert.deepStrictEqual(yield* found({ key, account, operations: ["messages.remove"] }), [removed]);
        assert.deepStrictEqual(yield* found({ key: other, operations: ["messages.remove"] }), []);
      }),
    );

    it.effect("keeps the ids and the outcome of a call, and inserts an entry once [S8.7-7]", () =>
      Effect.gen(function* () {
        const { list } = yield* AuditEntries;
        const key = uuid();
        const ids = ["T54ZJTRAIC0P18guRUVOeg", "dft_54ZJTRAIC0P18guRUVOeg"];
        const refused = { operation: "mcp.organize", target: null, ids, outcome: "message_not_found" } as const;
        const [one, other] = [newEntry(key, 1_000, refused), newEntry(key, 2_000)];
        yield* insertAll(one);
        yield* insertAll(one, other);
        assert.deepStrictEqual(yield* list({ ...ALL, key }, undefined, 10), [other, one]);
      }),
    );

    it.effect("deletes old entries of some operations alone [S8.7-8]", () =>
      Effect.gen(function* () {
        const { list, removeOld } = yield* AuditEntries;
        const key = uuid();
        const call = { operation: "mcp.list", target: null } as const;
        const [change, kept] = [newEntry(key, -1_030), newEntry(key, -1_010, call)];
        yield* insertAll(change, newEntry(key, -1_040, call), newEntry(key, -1_020, call), kept);
        assert.strictEqual(yield* removeOld(-1_010, 1, ["mcp.list", "mcp.other"]), 1);
        assert.strictEqual(yield* removeOld(-1_010, 9, ["mcp.list", "mcp.other"]), 1);
        assert.deepStrictEqual(yield* list({ ...ALL, key }, undefined, 10), [kept, change]);
        yield* removeOld(-1_000, 9);
      }),
    );

    it.effect("deletes up to `limit` entries from before a time [S8.7-3]", () =>
      Effect.gen(function* () {
        const { list, removeOld } = yield* AuditEntries;
        const key = uuid();
        const kept = newEntry(key, -10);
        yield* insertAll(newEntry(key, -30), newEntry(key, -20), newEntry(key, -11), kept);
        assert.strictEqual(yield* removeOld(-10, 2), 2);
        assert.strictEqual(yield* removeOld(-10, 2), 1);
        assert.strictEqual(yield* removeOld(-10, 2), 0);
        assert.deepStrictEqual(yield* list({ ...ALL, key }, undefined, 10), [kept]);
      }),
    );
  });
