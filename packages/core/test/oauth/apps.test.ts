import { assert, it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { appOf, Apps, type OAuthApp, OAuthApps, OAuthSettings } from "../../src/oauth/index.ts";
import { AuditTrail } from "../../src/audit/Audit.ts";
import { noTransaction, withoutCreationKeys } from "../doubles.ts";

const app = (id: string, clientId: string, provider: OAuthApp["provider"] = "google"): OAuthApp => {
  const read = appOf({ id, provider, clientId, ...(provider === "oidc" ? { issuer: "https://id.x.test" } : {}) });
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

/** The apps `b` from the settings and `a`, `c` from the API. */
const world = () => {
  const audited: Array<string> = [];
  const all = [app("c", "1"), app("b", "hidden"), app("a", "1", "oidc")];
  const layer = Layer.provideMerge(Apps.layer, [
    Layer.succeed(OAuthSettings, { apps: [app("b", "1")], baseUrl: "", operatorName: null }),
    Layer.mock(OAuthApps, {
      keep: () => Effect.void,
      find: (id) => Effect.succeed(Option.fromUndefinedOr(all.find((one) => one.id === id))),
      list: Effect.succeed(all),
      remove: (id) => Effect.succeed(id === "a"),
    }),
    Layer.succeed(AuditTrail, (operation, { target }) =>
      Effect.sync(() => void audited.push(`${operation} ${target}`)),
    ),
    withoutCreationKeys,
    noTransaction,
  ]);
  const run = <A, E>(use: (apps: Apps["Service"]) => Effect.Effect<A, E>) =>
    Effect.provide(Effect.flatMap(Apps, use), layer);
  return { audited, run };
};
const refusal = <E extends { readonly _tag: string }>(effect: Effect.Effect<unknown, E>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag);

it.effect("apps are listed by their ids; one from the settings hides one of the API with its id", () =>
  Effect.gen(function* () {
    const { run } = world();
    const listed = yield* run(({ list }) => list);
    const told = listed.map(({ app: { id, clientId }, isFixed }) => `${id} ${clientId} ${isFixed}`);
    assert.deepStrictEqual(told, ["a 1 false", "b 1 true", "c 1 false"]);
    assert.strictEqual((yield* run(({ get }) => get("b"))).clientId, "1");
    assert.strictEqual((yield* run(({ get }) => get("a"))).id, "a");
    assert.strictEqual(yield* refusal(run(({ get }) => get("d"))), "AppNotFound");
  }),
);

it.effect("a page of apps continues behind the last app of the page before", () =>
  Effect.gen(function* () {
    const { run } = world();
    const page = (cursor?: string) =>
      Effect.map(
        run((apps) => apps.page({ limit: 2, cursor })),
        ({ items, nextCursor }) => [...items.map(({ app: { id } }) => id), nextCursor],
      );
    assert.deepStrictEqual(yield* page(), ["a", "b", "0.b"]);
    assert.deepStrictEqual(yield* page("0.b"), ["c", null]);
  }),
);

it.effect("the apps of a sign-in are those that may open the mailbox of the address", () =>
  Effect.gen(function* () {
    const { run } = world();
    const ids = (email?: string) =>
      Effect.map(
        run(({ ofSignIn }) => ofSignIn(email)),
        ({ items }) => items.map(({ id }) => id),
      );
    assert.deepStrictEqual(yield* ids(), ["a", "b", "c"]);
    assert.deepStrictEqual(yield* ids("me@gmail.com"), ["b", "c"]);
    assert.strictEqual(yield* refusal(ids("no address")), "AddressMalformed");
    assert.strictEqual(yield* refusal(ids("")), "InputInvalid");
  }),
);

it.effect("apps are checked, and their changes and deletions audited", () =>
  Effect.gen(function* () {
    const { run, audited } = world();
    yield* run(({ keep }) => keep({ id: "d", provider: "google", clientId: "1" }));
    yield* run(({ remove }) => remove("a"));
    assert.deepStrictEqual(audited, ["oauthApps.keep d", "oauthApps.remove a"]);
    assert.strictEqual(yield* refusal(run(({ remove }) => remove("c"))), "AppNotFound");
    assert.strictEqual(yield* refusal(run(({ remove }) => remove(""))), "InputInvalid");
    assert.strictEqual(
      yield* refusal(run(({ keep }) => keep({ id: "", provider: "google", clientId: "1" }))),
      "InputInvalid",
    );
    assert.strictEqual(
      yield* refusal(run(({ keep }) => keep({ id: "e", provider: "oidc", clientId: "1" }))),
      "InputInvalid",
    );
    assert.strictEqual(audited.length, 2);
  }),
);
