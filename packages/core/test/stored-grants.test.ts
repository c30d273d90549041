import { describe, expect, it } from "vitest";
import { Option } from "effect";
import { storedServers } from "../src/accounts/index.ts";
import { assistantsJson } from "../src/assistants/index.ts";
import { keyGrantsJson } from "../src/auth/index.ts";
import { oauthJson } from "../src/oauth/index.ts";
import type { StoredJson } from "../src/shared/index.ts";

/** Returns the text that is written again after a text was read; null if the text cannot be read. */
const again = <A>(json: StoredJson<A>, value: unknown) =>
  Option.getOrNull(Option.map(json.read(JSON.stringify(value)), (read) => JSON.parse(json.write(read))));

const client = { id: "client_1", name: "A", redirectUris: ["https://a.example/x"], source: "operator", createdAt: 1 };
const identity = { id: "client_1", name: "A", host: null };
const sendPolicy = { to: ["@x.test"], perDay: 3, approval: "outside" };
const ACCOUNT = "me@x.test";
const SCOPES = [
  "mail:read",
  "mail:write",
  "mail:organize",
  "mail:delete",
  "mail:draft",
  "mail:send",
  "approvals",
  "events",
];
const agentGrant = {
  id: "g",
  account: ACCOUNT,
  name: "n",
  client: identity,
  scopes: SCOPES,
  sendPolicy,
  createdAt: 1,
  lastUsedAt: null,
  expiresAt: 2,
  access: { hash: "a", expiresAt: 2 },
  refresh: { hash: "r", family: "f" },
};
const code = {
  id: "c",
  account: ACCOUNT,
  client: identity,
  redirectUri: "https://a.example/x",
  challenge: "c",
  scopes: SCOPES,
  sendPolicy,
  expiresAt: 1,
};

describe("the records of assistants", () => {
  it.each(["document", "operator", "registered"])("keep a client from the source %s", (source) => {
    expect(again(assistantsJson.client, { ...client, source })).toEqual({ ...client, source });
  });

  it("keep codes and grants", () => {
    expect(again(assistantsJson.code, code)).toEqual(code);
    expect(again(assistantsJson.grant, agentGrant)).toEqual(agentGrant);
    const used = { ...agentGrant, client: { ...identity, host: "a.example" }, lastUsedAt: 7 };
    expect(again(assistantsJson.grant, used)).toEqual(used);
  });

  it("are not read with an unknown source, scope or policy, or from a later version", () => {
    expect(again(assistantsJson.client, { ...client, source: "other" })).toBeNull();
    expect(again(assistantsJson.client, { ...client, v: 2 })).toBeNull();
    expect(again(assistantsJson.code, { ...code, scopes: ["gone"] })).toBeNull();
    expect(again(assistantsJson.code, { ...code, v: 2 })).toBeNull();
    expect(again(assistantsJson.grant, { ...agentGrant, sendPolicy: { to: [], approval: "sometimes" } })).toBeNull();
    expect(again(assistantsJson.grant, { ...agentGrant, v: 2 })).toBeNull();
  });
});

const app = {
  id: "app_1",
  provider: "google",
  label: null,
  issuer: null,
  tenant: null,
  clientId: "c",
  secret: { _tag: "None" },
  mode: "delegated",
  tokenUrl: null,
  scopes: null,
  servers: null,
  domains: [],
};
const grant = {
  account: ACCOUNT,
  username: ACCOUNT,
  app: "app_1",
  refreshToken: "r",
  issuedBy: "https://issuer.example",
  identity: { issuer: "i", subject: "s" },
  delegateOf: null,
  state: "active",
  accessToken: { token: "t", issuedAt: 1, expiresAt: 2 },
  lease: { token: "l", until: 3 },
  interrupted: false,
  renewedAt: null,
  fault: null,
  failures: 0,
  retryAt: null,
};
const server = { host: "mail.x.test", port: 993, tls: "implicit", origin: "account" };
const servers = { imap: server, smtp: { ...server, port: 465, username: "u", certificateSha256: "ab" } };

describe("the records of OAuth2", () => {
  it.each([{ _tag: "None" }, { _tag: "ClientSecret", value: "s" }, { _tag: "PrivateKey", value: "k" }])(
    "keep an app with the secret %j",
    (secret) => {
      const full = { ...app, secret, label: "L", servers, scopes: ["a"], domains: ["x.test"] };
      expect(again(oauthJson.app, full)).toEqual(full);
    },
  );

  it.each([
    ["google", "delegated"],
    ["microsoft", "application"],
    ["oidc", "hook"],
  ])("keep an app of %s in the mode %s", (provider, mode) => {
    expect(again(oauthJson.app, { ...app, provider, mode })).toEqual({ ...app, provider, mode });
  });

  it("read an app without a label, and a grant without an issuer, of earlier releases", () => {
    const { label: _, ...unlabelled } = app;
    expect(again(oauthJson.app, unlabelled)).toEqual(app);
    const { issuedBy: __, ...earlier } = grant;
    expect(again(oauthJson.grant, earlier)).toEqual({ ...grant, issuedBy: null });
  });

  it.each(["active", "refreshing", "needs_reauth", "app_misconfigured", "provider_unavailable"])(
    "keep a grant in the state %s",
    (state) => {
      expect(again(oauthJson.grant, { ...grant, state })).toEqual({ ...grant, state });
    },
  );

  it("keep links and consents", () => {
    const request = { address: null, tags: ["vip"], reach: null, key: "k" };
    const link = {
      _tag: "Link",
      id: "a",
      expiresAt: 1,
      request: { ...request, app: null },
      redirectUrl: "https://x.test/",
      state: "s",
      secret: "s",
    };
    expect(again(oauthJson.attempt, link)).toEqual(link);
    const consent = {
      _tag: "Consent",
      id: "a",
      expiresAt: 1,
      browser: "b",
      app: "app_1",
      nonce: "n",
      verifier: "v",
      address: null,
      link: "l",
      network: "192.0.2.1",
    };
    expect(again(oauthJson.attempt, consent)).toEqual(consent);
  });

  it.each(["pending", "done", "denied", "expired"])("keep a device authorization that is %s", (state) => {
    const device = {
      _tag: "Device",
      id: "a",
      expiresAt: 1,
      request: { address: null, tags: null, reach: ["me@x.test"], app: "app_1" },
      deviceCode: "d",
      intervalMillis: 5,
      nextPollAt: 6,
      state,
      account: null,
    };
    expect(again(oauthJson.attempt, device)).toEqual(device);
  });
});

it.each(["implicit", "starttls", "plaintext"])("the mail servers of an account are kept with TLS %s", (tls) => {
  for (const origin of ["operator", "account"]) {
    const all = { imap: { ...server, tls, origin }, smtp: { ...servers.smtp, tls, origin } };
    expect(again(storedServers, all)).toEqual(all);
  }
  expect(again(storedServers, { ...servers, v: 2 })).toBeNull();
});

describe("the grants of a key", () => {
  const bare = { scopes: SCOPES, accounts: ["me@x.test"], networks: null };

  it.each(["always", "outside", "never"])(
    "are kept with the policy %s, with and without a limit per day",
    (approval) => {
      for (const policy of [
        { to: ["@x.test"], perDay: 3, approval },
        { to: [], approval },
      ]) {
        expect(again(keyGrantsJson, { ...bare, sendPolicy: policy })).toEqual({ ...bare, sendPolicy: policy });
      }
    },
  );

  it("have no policy if they have none, or null", () => {
    expect(again(keyGrantsJson, bare)).toEqual(bare);
    const none = { scopes: ["events"], accounts: null, networks: ["10.0.0.0/8"], sendPolicy: null } as const;
    expect(JSON.parse(keyGrantsJson.write(none))).toEqual({
      scopes: ["events"],
      accounts: null,
      networks: ["10.0.0.0/8"],
    });
  });
});
