import { isSameHash, type ServiceKey, ServiceKeys } from "@postern/core/auth";
import { Effect, HashMap, Layer, Option } from "effect";
import { isAfter } from "../store/is-after.ts";
import { changeRow } from "../store/change-row.ts";
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
    const suspended = yield* cell("suspended applications", HashMap.empty<string, number>());
    const find = Effect.fnUntraced(function* (id: string) {
      const known = yield* suspended.get;
      return Option.map(HashMap.get(yield* keys.get, id), ({ key, hash }) => {
        const at = Option.getOrUndefined(HashMap.get(known, key.application));
        return { hash, key: at === undefined ? key : { ...key, suspendedAt: at } };
      });
    });
    const hasKeys = (application: string) =>
      Effect.map(
        keys.get,
        HashMap.some(({ key }) => key.application === application),
      );
    const removeWhere = (unwanted: (key: ServiceKey) => boolean) =>
      keys.modify((all) => {
        const ids = [...HashMap.values(all)].flatMap(({ key }) => (unwanted(key) ? [key.id] : []));
        return [ids, HashMap.removeMany(all, ids)];
      });

    return ServiceKeys.of({
      suspend: (application, now) =>
        Effect.tap(hasKeys(application), (isKnown) =>
          suspended.modify((all) => [
            undefined,
            isKnown && !HashMap.has(all, application) ? HashMap.set(all, application, now) : all,
          ]),
        ),
      resume: (application) =>
        Effect.tap(hasKeys(application), (isKnown) =>
          suspended.modify((all) => [undefined, isKnown ? HashMap.remove(all, application) : all]),
        ),
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
      list: (after, limit) =>
        Effect.map(keys.get, (all) =>
          [...HashMap.values(all)]
            .map(({ key }) => key)
            .filter((key) => isAfter(key, after))
            .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
            .slice(0, limit),
        ),
      change: (id, decide) =>
        changeRow(keys, id, ({ key, hash }) => {
          const [answer, after] = decide(key);
          const { application, createdAt, lastUsedAt } = key;
          return [answer, { key: { ...after, id, application, createdAt, lastUsedAt }, hash }];
        }),
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
      removeApplication: (application) =>
        Effect.tap(
          removeWhere((key) => key.application === application),
          () => suspended.modify((all) => [undefined, HashMap.remove(all, application)]),
        ),
    });
  }),
);
