import { assert, it } from "@effect/vitest";
import { UseCases, workers } from "@postern/core";
import { AccountDirectory, AccountSettings, Discovery, newAccount, type ServerCandidate } from "@postern/core/accounts";
import type { AccountServers } from "@postern/core/mail";
import { Apps, type OAuthApp } from "@postern/core/oauth";
import { AccountId } from "@postern/core/shared";
import { adaptersInMemory } from "@postern/harness";
import { Effect, Layer, Logger, Option } from "effect";

const at = (host: string, port = 993): AccountServers => ({
  imap: { host, port, tls: "implicit", origin: "account" },
  smtp: { host, port: 465, tls: "implicit", origin: "account" },
});

const APP: OAuthApp = {
  id: "corp",
  provider: "oidc",
  label: null,
  issuer: "https://id.test",
  tenant: null,
  clientId: "postern",
  secret: { _tag: "None" },
  mode: "delegated",
  tokenUrl: null,
  scopes: null,
  servers: at("app.test"),
  domains: [],
};

/** The accounts by address: their servers, and the app that opens them. */
const ACCOUNTS: ReadonlyArray<readonly [string, AccountServers | null, string | null]> = [
  ["found@x.test", at("mail.x.test"), null],
  ["other-port@x.test", at("MAIL.x.test", 143), null],
  ["moved@x.test", at("evil.test"), null],
  ["app@y.test", at("app.test"), "corp"],
  ["moved-from-app@y.test", at("evil.test"), "corp"],
  ["home@home.test", null, null],
  ["named@home.test", at("evil.test"), null],
];

const review = (discovered: Effect.Effect<string>) =>
  Layer.mergeAll(
    Layer.succeed(AccountSettings, {
      mode: "any",
      servers: at("home.test"),
      domains: ["home.test"],
      signInDomains: [],
    }),
    Layer.mock(Discovery, {
      of: () =>
        Effect.map(discovered, (host) => [
          { ...at(host), source: "srv", reason: "", provider: undefined, signIn: [] } satisfies ServerCandidate,
        ]),
    }),
    Layer.mock(Apps, { find: (id) => Effect.succeed(id === APP.id ? Option.some(APP) : Option.none()) }),
  );

const runReview = Effect.flatMap(workers, (all) => all.find(({ name }) => name === "review of servers")!.runDue);

const world = (warnings: Array<unknown>) =>
  Layer.provideMerge(
    review(Effect.succeed("mail.x.test")),
    Layer.merge(
      Layer.provideMerge(UseCases, adaptersInMemory),
      Logger.layer([
        Logger.make(({ logLevel, message }) => {
          if (logLevel === "Warn") warnings.push(message);
        }),
      ]),
    ),
  );

it.effect("warns once about accounts whose servers come neither from discovery nor from their app [S10.3-20]", () => {
  const warnings: Array<unknown> = [];
  return Effect.gen(function* () {
    const directory = yield* AccountDirectory;
    for (const [email, servers, provider] of ACCOUNTS) {
      yield* directory.insert({ ...newAccount(AccountId(email), 0), managed: true, servers, provider });
    }
    yield* runReview;
    assert.lengthOf(warnings, 1);
    const text = JSON.stringify(warnings);
    assert.include(text, '"count":3');
    assert.strictEqual(text.match(/acc_\S+ is at evil\.test:993 and evil\.test:465, not /g)?.length, 3);
    assert.notInclude(text, "@");
    yield* runReview;
    // A process that starts later.
    const later = Layer.fresh(review(Effect.die("the task is done")));
    yield* Effect.provide(runReview, later);
    assert.lengthOf(warnings, 1);
  }).pipe(Effect.provide(world(warnings)));
});

it.effect("warns of nothing in a new deployment", () => {
  const warnings: Array<unknown> = [];
  return Effect.gen(function* () {
    yield* runReview;
    const account = newAccount(AccountId("later@x.test"), 0);
    yield* (yield* AccountDirectory).insert({ ...account, managed: true, servers: at("own.test") });
    yield* runReview;
    assert.deepStrictEqual(warnings, []);
  }).pipe(Effect.provide(world(warnings)));
});
