import { assert, it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { appOf, Apps, type OAuthApp, OAuthApps, OAuthSettings } from "../../src/oauth/index.ts";
import { noTransaction, withoutCreationKeys } from "../doubles.ts";

const app = (id: string, clientId: string): OAuthApp => {
  const read = appOf({ id, provider: "google", clientId });
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.app;
};

it.effect("an app from the settings cannot be changed or deleted, but an app from the API can [S11.1-3]", () => {
  const stored = new Map<string, OAuthApp>();
  const apps = Apps.layer.pipe(
    Layer.provide([
      Layer.succeed(OAuthSettings, { apps: [app("fixed", "a")], baseUrl: "", operatorName: null }),
      Layer.succeed(OAuthApps, {
        keep: (one) => Effect.sync(() => void stored.set(one.id, one)),
        find: (id) => Effect.sync(() => Option.fromUndefinedOr(stored.get(id))),
        list: Effect.sync(() => [...stored.values()]),
        remove: (id) => Effect.sync(() => stored.delete(id)),
      }),
      withoutCreationKeys,
      noTransaction,
    ]),
  );
  return Effect.gen(function* () {
    const { keep, list, remove } = yield* Apps;
    const kept = Effect.asVoid(keep({ id: "fixed", provider: "google", clientId: "b" }));
    assert.strictEqual((yield* Effect.flip(kept))._tag, "AppReadOnly");
    assert.strictEqual((yield* Effect.flip(remove("fixed")))._tag, "AppReadOnly");
    for (const clientId of ["a", "b"]) yield* keep({ id: "own", provider: "google", clientId });
    const listed = Effect.map(list, (all) => all.map(({ app: { id, clientId } }) => `${id} ${clientId}`));
    assert.deepStrictEqual(yield* listed, ["fixed a", "own b"]);
    yield* remove("own");
    assert.deepStrictEqual(yield* listed, ["fixed a"]);
  }).pipe(Effect.provide(apps));
});
