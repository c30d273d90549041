import { assert, it } from "@effect/vitest";
import { type Account, AccountDirectory, AccountSettings, Discovery, newAccount } from "../../src/accounts/index.ts";
import {
  type GivenServers,
  serverCandidates,
  serversForStored,
  serversForToken,
  type TokenServers,
} from "../../src/accounts/neighbours.ts";
import { operatorCandidate } from "../../src/accounts/discovery/rank-candidates.ts";
import type { AccountServers, MailServer } from "../../src/mail/index.ts";
import { type OAuthApp, tokenServersOf } from "../../src/oauth/index.ts";
import { AccountId } from "../../src/shared/index.ts";
import { Effect, Layer, Redacted } from "effect";
import { describe } from "vitest";

const ME = AccountId("ann@x.test");
const NONE: GivenServers = { imap: null, smtp: null };
const server = (host: string, more: Partial<MailServer> = {}): MailServer => ({
  host,
  port: 993,
  tls: "implicit",
  origin: "account",
  ...more,
});
const at = (host: string): AccountServers => ({ imap: server(host), smtp: server(host, { port: 465 }) });

const using = (domains: ReadonlyArray<string> = []) =>
  Layer.mergeAll(
    Layer.mock(AccountDirectory, {}),
    Layer.mock(Discovery, { of: () => Effect.succeed([operatorCandidate(at("found.test"))]) }),
    Layer.succeed(AccountSettings, { mode: "any", servers: at("home.test"), domains, signInDomains: [] }),
  );
const hosts = (servers: ReadonlyArray<AccountServers>) => servers.map(({ imap }) => imap.host);
const stored: Account = { ...newAccount(ME, 0), servers: at("own.test") };

describe("the servers that see a token", () => {
  const tokens = (more: Partial<TokenServers> = {}): TokenServers => ({
    app: "corp",
    named: null,
    mayDiscover: false,
    ...more,
  });
  const forToken = (given: GivenServers, known: Account | null, more: Partial<TokenServers> = {}) =>
    Effect.map(
      Effect.flatMap(serverCandidates, (one) => serversForToken(one, ME, given, known, tokens(more))),
      hosts,
    );

  it.effect("are the servers of its app, and for a consent also those that discovery finds; no others [S11.2-7]", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* forToken(NONE, null, { named: at("app.test"), mayDiscover: true }), ["app.test"]);
      assert.deepStrictEqual(yield* forToken(NONE, null, { mayDiscover: true }), ["found.test"]);
      assert.deepStrictEqual(yield* forToken(NONE, null), []);
    }).pipe(Effect.provide(using())),
  );

  it.effect("do not include servers stored with an account that signs in with another credential [S11.2-7]", () =>
    Effect.gen(function* () {
      const named = at("app.test");
      assert.deepStrictEqual(yield* forToken(NONE, stored, { named }), ["app.test"]);
      const byApp: Account = { ...stored, authKind: "oauth2", provider: "corp" };
      assert.deepStrictEqual(yield* forToken(NONE, byApp, { named }), ["own.test", "app.test"]);
      assert.deepStrictEqual(yield* forToken(NONE, { ...byApp, provider: "other" }, { named }), ["app.test"]);
    }).pipe(Effect.provide(using())),
  );

  it.effect("can be narrowed but not extended by a request [S11.2-9]", () =>
    Effect.gen(function* () {
      const named = at("app.test");
      assert.deepStrictEqual(yield* forToken(at("evil.test"), null, { named, mayDiscover: true }), []);
      assert.deepStrictEqual(yield* forToken({ imap: null, smtp: server("evil.test") }, null, { named }), []);
      const pinned = { imap: server("app.test", { certificateSha256: "0".repeat(64) }), smtp: null };
      assert.deepStrictEqual(yield* forToken(pinned, null, { named }), []);
      const other = { imap: server("app.test", { username: "ann" }), smtp: null };
      assert.deepStrictEqual(yield* forToken(other, null, { named }), ["app.test"]);
    }).pipe(Effect.provide(using())),
  );

  it.effect("are the deployment's for its own addresses, which a request cannot name [S11.2-7]", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* forToken(NONE, stored, { named: at("app.test") }), ["home.test"]);
      assert.strictEqual((yield* Effect.flip(forToken(at("app.test"), null)))._tag, "ServersFixed");
    }).pipe(Effect.provide(using(["x.test"]))),
  );
});

describe("the servers that see a stored credential", () => {
  const forStored = (given: GivenServers, known: Account) =>
    Effect.flatMap(serverCandidates, (one) => serversForStored(one, known, given));

  it.effect("are those of the account, at most with another user name [S10.3-18] [S10.3-23]", () =>
    Effect.gen(function* () {
      const asAnn = { imap: server("own.test", { username: "ann" }), smtp: null };
      assert.deepStrictEqual(yield* forStored(asAnn, stored), { ...at("own.test"), imap: asAnn.imap });
      for (const other of [
        at("evil.test"),
        { imap: null, smtp: server("own.test", { port: 587 }) },
        { imap: server("own.test", { tls: "starttls" }), smtp: null },
      ]) {
        assert.strictEqual((yield* Effect.flip(forStored(other, stored)))._tag, "CredentialRequired");
      }
    }).pipe(Effect.provide(using())),
  );

  it.effect("do not include discovered servers, even if those of the account are no longer known [S10.3-19]", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(forStored(NONE, { ...stored, servers: null }));
      assert.strictEqual(error._tag, "CredentialRequired");
    }).pipe(Effect.provide(using())),
  );
});

describe("the servers of an app's tokens", () => {
  const app: OAuthApp = {
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
    servers: null,
    domains: [],
  };
  const consentOf = (address: string | null) => ({
    accessToken: Redacted.make("hidden"),
    expiresIn: 3600,
    refreshToken: null,
    identity: { issuer: "https://id.test", subject: "1", address },
  });

  it("are discovered for a user of the domain, and never without a consent", () => {
    const mayDiscover = (address: string | null, mode: OAuthApp["mode"] = "delegated") =>
      tokenServersOf({ app: { ...app, mode }, issued: consentOf(address) }, ME).mayDiscover;
    assert.deepStrictEqual(
      ["a@x.test", null, "victim@corp.test"].map((one) => mayDiscover(one)),
      [true, true, false],
    );
    assert.isFalse(mayDiscover("a@x.test", "hook"));
    assert.isFalse(mayDiscover("a@x.test", "application"));
  });

  it("are those of its provider, whatever provider the domain has", () => {
    const named = (provider: OAuthApp["provider"], email: string) =>
      tokenServersOf({ app: { ...app, provider }, issued: null }, AccountId(email)).named?.imap.host;
    assert.strictEqual(named("google", "ann@x.test"), "imap.gmail.com");
    assert.strictEqual(named("google", "ann@outlook.com"), "imap.gmail.com");
    assert.strictEqual(named("microsoft", "ann@outlook.com"), "outlook.office365.com");
    assert.isUndefined(named("oidc", "ann@x.test"));
  });
});
