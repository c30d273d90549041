import { type AssistantClient, AssistantClientRecords } from "@postern/core/assistants";
import { Effect, HashMap, Layer } from "effect";
import { isAfter } from "../store/is-after.ts";
import { Memory } from "../store/Memory.ts";

/** Clients of assistants, kept in memory. */
export const layer = Layer.effect(
  AssistantClientRecords,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const clients = yield* cell("assistant clients", HashMap.empty<string, AssistantClient>());

    return AssistantClientRecords.of({
      insert: (client) => clients.modify((all) => [undefined, HashMap.set(all, client.id, client)]),
      find: (id) => Effect.map(clients.get, HashMap.get(id)),
      list: (after, limit) =>
        Effect.map(clients.get, (all) =>
          [...HashMap.values(all)]
            .filter((client) => isAfter(client, after))
            .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
            .slice(0, limit),
        ),
      remove: (id) => clients.modify((all) => [HashMap.has(all, id), HashMap.remove(all, id)]),
      countRegistered: Effect.map(
        clients.get,
        (all) => [...HashMap.values(all)].filter(({ source }) => source === "registered").length,
      ),
      removeRegistered: (before) =>
        clients.modify((all) => [
          undefined,
          HashMap.filter(all, ({ source, createdAt }) => source !== "registered" || createdAt >= before),
        ]),
    });
  }),
);
