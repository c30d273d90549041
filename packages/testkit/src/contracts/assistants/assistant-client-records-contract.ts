import { assert, layer } from "@effect/vitest";
import { type AssistantClient, AssistantClientRecords } from "@postern/core/assistants";
import { Effect, type Layer, Option } from "effect";

const NOW = 1_900_000_000_000;

const insert = Effect.fnUntraced(function* (over: Partial<AssistantClient> = {}) {
  const id = `client_${globalThis.crypto.randomUUID()}`;
  const redirectUris = ["https://assistant.example/callback", "http://127.0.0.1/callback"];
  const client: AssistantClient = { id, name: "Assistant", redirectUris, source: "operator", createdAt: NOW, ...over };
  yield* (yield* AssistantClientRecords).insert(client);
  return client;
});

/** The contract of `AssistantClientRecords`. */
export const assistantClientRecordsContract = (name: string, live: Layer.Layer<AssistantClientRecords, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("finds a client by its id alone, and removes it once", () =>
      Effect.gen(function* () {
        const clients = yield* AssistantClientRecords;
        const client = yield* insert();
        assert.deepStrictEqual(yield* clients.find(client.id), Option.some(client));
        for (const other of ["", "\0", client.id.toUpperCase(), `${client.id}\0`]) {
          assert.deepStrictEqual(yield* clients.find(other), Option.none(), JSON.stringify(other));
        }
        assert.isTrue(yield* clients.remove(client.id));
        assert.isFalse(yield* clients.remove(client.id));
        assert.deepStrictEqual(yield* clients.find(client.id), Option.none());
      }),
    );

    it.effect("lists clients, newest first, a page at a time", () =>
      Effect.gen(function* () {
        const clients = yield* AssistantClientRecords;
        const all = [
          yield* insert({ createdAt: NOW + 9_000 }),
          yield* insert({ createdAt: NOW + 9_000 }),
          yield* insert({ createdAt: NOW + 9_001 }),
        ].toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
        assert.deepStrictEqual(yield* clients.list(undefined, 3), all);
        const after = { at: all[0]!.createdAt, id: all[0]!.id };
        assert.deepStrictEqual(yield* clients.list(after, 1), [all[1]!]);
      }),
    );

    it.effect("counts the clients that registered themselves, and removes the old ones of them", () =>
      Effect.gen(function* () {
        const clients = yield* AssistantClientRecords;
        yield* clients.removeRegistered(NOW * 2);
        assert.strictEqual(yield* clients.countRegistered, 0);
        const old = yield* insert({ source: "registered", createdAt: NOW - 1 });
        const young = yield* insert({ source: "registered" });
        const own = yield* insert({ createdAt: NOW - 1 });
        assert.strictEqual(yield* clients.countRegistered, 2);
        yield* clients.removeRegistered(NOW);
        assert.strictEqual(yield* clients.countRegistered, 1);
        assert.deepStrictEqual(yield* clients.find(old.id), Option.none());
        assert.deepStrictEqual(yield* clients.find(young.id), Option.some(young));
        assert.deepStrictEqual(yield* clients.find(own.id), Option.some(own));
      }),
    );
  });
