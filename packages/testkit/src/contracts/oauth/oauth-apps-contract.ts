import { assert, layer } from "@effect/vitest";
import { type OAuthApp, oauthJson, OAuthApps } from "@postern/core/oauth";
import { Effect, type Layer, Option, Redacted } from "effect";

const appOf = (id: string, over: Partial<OAuthApp> = {}): OAuthApp => ({
  id,
  provider: "oidc",
  label: "Example",
  issuer: "https://login.example.org",
  tenant: null,
  clientId: "postern",
  secret: { _tag: "ClientSecret", value: Redacted.make("secret-1") },
  mode: "delegated",
  tokenUrl: null,
  scopes: ["openid", "mail"],
  servers: {
    imap: { host: "imap.example.org", port: 993, tls: "implicit", origin: "account" },
    smtp: { host: "smtp.example.org", port: 587, tls: "starttls", origin: "account", username: "me" },
  },
  domains: ["example.org"],
  ...over,
});

/** The contract of `OAuthApps`. */
export const oAuthAppsContract = (name: string, live: Layer.Layer<OAuthApps, unknown>) =>
  layer(live)(name, (it) => {
    const fresh = Effect.sync((): string => globalThis.crypto.randomUUID());

    it.effect("finds an app as it was stored, and replaces one with the same id [S11.1-3]", () =>
      Effect.gen(function* () {
        const apps = yield* OAuthApps;
        const id = yield* fresh;
        assert.isTrue(Option.isNone(yield* apps.find(id)));
        const others: Partial<OAuthApp> = {
          label: null,
          issuer: null,
          tenant: "t",
          servers: null,
          scopes: null,
          domains: [],
        };
        for (const over of [{}, { secret: { _tag: "None" } as const }, { ...others, tokenUrl: "https://x.example" }]) {
          yield* apps.keep(appOf(id, over));
          assert.strictEqual(
            oauthJson.app.write(Option.getOrThrow(yield* apps.find(id))),
            oauthJson.app.write(appOf(id, over)),
          );
        }
      }),
    );

    it.effect("lists apps by id, and removes one once", () =>
      Effect.gen(function* () {
        const apps = yield* OAuthApps;
        const ids = [yield* fresh, yield* fresh, yield* fresh].toSorted();
        for (const id of ids.toReversed()) yield* apps.keep(appOf(id));
        const listed = Effect.map(apps.list, (all) => all.map(({ id }) => id).filter((id) => ids.includes(id)));
        assert.deepStrictEqual(yield* listed, ids);
        assert.isTrue(yield* apps.remove(ids[1]!));
        assert.isFalse(yield* apps.remove(ids[1]!));
        assert.deepStrictEqual(yield* listed, [ids[0]!, ids[2]!]);
      }),
    );
  });
