import { type OAuthApp, OAuthApps } from "@postern/core/oauth";
import { Effect, HashMap, Layer } from "effect";
import { Memory } from "../store/Memory.ts";

/** Apps, kept in memory. */
export const layer = Layer.effect(
  OAuthApps,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const apps = yield* cell("oauth apps", HashMap.empty<string, OAuthApp>());

    return OAuthApps.of({
      keep: (app) => apps.modify((all) => [undefined, HashMap.set(all, app.id, app)]),
      find: (id) => Effect.map(apps.get, HashMap.get(id)),
      list: Effect.map(apps.get, (all) => [...HashMap.values(all)].toSorted((a, b) => (a.id < b.id ? -1 : 1))),
      remove: (id) => apps.modify((all) => [HashMap.has(all, id), HashMap.remove(all, id)]),
    });
  }),
);
