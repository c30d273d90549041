import { isSameHash, type ServiceKey, ServiceKeys } from "@postern/core/auth";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

interface KeptKey {
  readonly key: ServiceKey;
  readonly hash: string;
}

/** Service keys, kept in memory. */
export const layer = Layer.effect(
  ServiceKeys,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const keys = yield* cell("service keys", HashMap.empty<string, KeptKey>());
    const find = (id: string) => Effect.map(keys.get, HashMap.get(id));
    const removeWhere = (unwanted: (key: ServiceKey) => boolean) =>
      keys.modify((all) => {
        const ids = [...HashMap.values(all)].flatMap(({ key }) => (unwanted(key) ? [key.id] : []));
        return [ids, HashMap.removeMany(all, ids)];
      });

    return ServiceKeys.of({
      insert: (key, hash) => keys.modify((all) => [undefined, HashMap.set(all, key.id, { key, hash })]),
      findByHash: (id, hash) =>
        Effect.map(find(id), (kept) =>
          Option.map(
            Option.filter(kept, (found) => isSameHash(found.hash, hash)),
            ({ key }) => key,
          ),
        ),
      find: (id) =>
        Effect.map(
          find(id),
          Option.map(({ key }) => key),
        ),
      list: Effect.map(keys.get, (all) =>
        [...HashMap.values(all)]
          .map(({ key }) => key)
          .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1)),
      ),
      use: (id, now, replaces) =>
        keys.modify((all) => [
          undefined,
          HashMap.modify(all, id, (kept) =>
            kept.key.lastUsedAt === null || kept.key.lastUsedAt <= replaces
              ? { ...kept, key: { ...kept.key, lastUsedAt: now } }
              : kept,
          ),
        ]),
      remove: (id) =>
        Effect.map(
          removeWhere((key) => key.id === id),
          (removed) => removed.length > 0,
        ),
      removeApplication: (application) => removeWhere((key) => key.application === application),
    });
  }),
);
