import type { OAuthApp } from "@postern/core/oauth";
import type { FuzzedReader } from "@postern/testkit";
import { Effect, Redacted } from "effect";
import * as oauth from "oauth4webapi";
import { AskFailed } from "../src/AskFailed.ts";
import type { GuardedFetch } from "../src/guarded-fetch.ts";
import type { Provider } from "../src/Provider.ts";
import { providerError, reasonOf } from "../src/provider-error.ts";
import { factsOf } from "../src/provider-facts.ts";
import { ProviderMetadata } from "../src/ProviderMetadata.ts";
import { issueByApp, pollDevice, refresh, startDevice } from "../src/token-requests.ts";
import { askTokenService } from "../src/token-service.ts";

const ISSUER = "https://login.microsoftonline.com/common/v2.0";
const APP: OAuthApp = {
  id: "app",
  provider: "microsoft",
  label: null,
  issuer: null,
  tenant: null,
  clientId: "client",
  secret: { _tag: "ClientSecret", value: Redacted.make("secret") },
  mode: "delegated",
  tokenUrl: "https://hook.test/token",
  domains: [],
  scopes: null,
} as unknown as OAuthApp;

/** The status, the fields and the body of an answer: `200 {"a":1}`, or `503 120 text`, where the number is Retry-After. */
const answerOf = (input: Buffer): Response => {
  const [, status = "200", wait = "", body = ""] = /^([2-5]\d\d) (\d* )?([^]*)$/.exec(input.toString("latin1")) ?? [];
  const isBodiless = ["204", "205", "304"].includes(status);
  return new Response(isBodiless ? null : Buffer.from(body, "latin1"), {
    status: Number(status),
    headers: { "content-type": "application/json", ...(wait === "" ? {} : { "retry-after": wait.trim() }) },
  });
};

const providerOf = (fetch: GuardedFetch): Provider => ({
  server: {
    issuer: "https://login.microsoftonline.com/{tenantid}/v2.0",
    token_endpoint: "https://login.microsoftonline.com/token",
    device_authorization_endpoint: "https://login.microsoftonline.com/device",
    jwks_uri: "https://login.microsoftonline.com/keys",
  },
  keys: {},
  facts: factsOf(APP),
  scope: "openid",
  client: { client_id: "client" },
  authentication: oauth.ClientSecretPost("secret"),
  http: {
    [oauth.customFetch]: fetch,
    [oauth.allowInsecureRequests]: false,
    signal: new AbortController().signal,
  },
});

/** The errors of a request are converted; a fault of ours causes an error of the language without a code. */
const ask = async (request: () => Promise<unknown>): Promise<void> => {
  try {
    await request();
  } catch (caught) {
    const error = caught instanceof AskFailed ? caught.error : caught;
    providerError(error);
    reasonOf(error);
    if (error instanceof Error && !("code" in error) && /^(Type|Range|Reference|Syntax)Error$/.test(error.name))
      throw error;
  }
};

const TOKENS = [
  '200 {"access_token":"at","token_type":"Bearer","expires_in":3600,"refresh_token":"rt","scope":"a b"}',
  `200 {"access_token":"at","token_type":"bearer","expires_in":"3600","id_token":"e30.${Buffer.from('{"tid":"11111111-2222-3333-4444-555555555555","oid":"x","iss":"y"}').toString("base64url")}.x"}`,
  '400 {"error":"invalid_grant","error_description":"AADSTS70008: expired","error_codes":[70008]}',
  '400 {"error":"authorization_pending"}',
  "429 120 {}",
  "503  <html>busy</html>",
  '200 {"accessToken":"at","expiresIn":60}',
];
const DEVICES = [
  '200 {"device_code":"d","user_code":"ABCD-EFGH","verification_uri":"https://x.test/device","verification_uri_complete":"https://x.test/device?c=1","expires_in":900,"interval":5}',
  '200 {"device_code":"d","user_code":"x","verification_uri":"javascript:1","expires_in":1e309}',
];
const METADATA = [
  `200 {"issuer":"https://login.microsoftonline.com/{tenantid}/v2.0","token_endpoint":"https://x.test/t","jwks_uri":"https://x.test/k","response_types_supported":["code"]}`,
  `200 {"issuer":"https://login.microsoftonline.com/${"(:)".repeat(13_000)}.0"}`,
  `200 {"issuer":"${ISSUER}"}`,
  '404 {"error":{}}',
];

export const readers: ReadonlyArray<FuzzedReader> = [
  {
    name: "oauth/tokens",
    corpus: TOKENS,
    read: async (input) => {
      const fetch: GuardedFetch = () => Promise.resolve(answerOf(input));
      await ask(() => refresh(providerOf(fetch), "rt"));
      await ask(() => issueByApp(providerOf(fetch), APP, "a@x.test"));
      await ask(() => pollDevice(providerOf(fetch), "d"));
      await ask(() => askTokenService(fetch, APP, "a@x.test", new AbortController().signal));
    },
    weight: 10,
  },
  {
    name: "oauth/device",
    corpus: DEVICES,
    read: (input) => ask(() => startDevice(providerOf(() => Promise.resolve(answerOf(input))))),
    weight: 5,
  },
  {
    name: "oauth/metadata",
    corpus: METADATA,
    read: (input) => {
      const metadata = ProviderMetadata.layer(() => Promise.resolve(answerOf(input)));
      const published = Effect.flatMap(ProviderMetadata, (all) => all.of(factsOf(APP)));
      return ask(() => Effect.runPromise(Effect.provide(published, metadata)));
    },
    weight: 10,
  },
];
