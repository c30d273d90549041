import { Effect, Schema } from "effect";
import { GrantFault, ServersSchema } from "../accounts/neighbours.ts";
import { AccountId, type StoredJson } from "../shared/index.ts";
import type { ConnectAttempt } from "./ConnectAttempt.ts";
import { type Grant, GRANT_STATES } from "./Grant.ts";
import { OAUTH_MODES, OAUTH_PROVIDERS, type OAuthApp } from "./OAuthApp.ts";

const Text = Schema.String;
const Secret = Schema.RedactedFromValue(Text);
const Id = Schema.fromBrand("AccountId", AccountId)(Text);

/** Returns the JSON form of records with secrets, which only an encrypting store may hold. */
const secretJson = <A>(schema: Schema.Codec<A, unknown>): StoredJson<A> => {
  const json = Schema.fromJsonString(schema);
  return { write: Schema.encodeSync(json), read: Schema.decodeUnknownOption(json) };
};

const AppSecretRecord = Schema.Union([
  Schema.TaggedStruct("None", {}),
  Schema.TaggedStruct("ClientSecret", { value: Secret }),
  Schema.TaggedStruct("PrivateKey", { value: Secret }),
]);

/** The stored form of an app. */
const appJson: StoredJson<OAuthApp> = secretJson(
  Schema.Struct({
    id: Text,
    provider: Schema.Literals(OAUTH_PROVIDERS),
    // Absent in records from before apps had labels.
    label: Schema.NullOr(Text).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
    issuer: Schema.NullOr(Text),
    tenant: Schema.NullOr(Text),
    clientId: Text,
    secret: AppSecretRecord,
    mode: Schema.Literals(OAUTH_MODES),
    tokenUrl: Schema.NullOr(Text),
    scopes: Schema.NullOr(Schema.Array(Text)),
    servers: Schema.NullOr(ServersSchema),
    domains: Schema.Array(Text),
  }),
);

/** The stored form of a grant. */
const grantJson: StoredJson<Grant> = secretJson(
  Schema.Struct({
    account: Id,
    username: Text,
    app: Text,
    refreshToken: Schema.NullOr(Secret),
    // Absent in records of earlier releases; the next answer of the provider sets it.
    issuedBy: Schema.NullOr(Text).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
    identity: Schema.NullOr(Schema.Struct({ issuer: Text, subject: Text })),
    delegateOf: Schema.NullOr(Id),
    state: Schema.Literals(GRANT_STATES),
    accessToken: Schema.NullOr(Schema.Struct({ token: Secret, issuedAt: Schema.Number, expiresAt: Schema.Number })),
    lease: Schema.NullOr(Schema.Struct({ token: Text, until: Schema.Number })),
    interrupted: Schema.Boolean,
    renewedAt: Schema.NullOr(Schema.Number),
    fault: Schema.NullOr(GrantFault),
    failures: Schema.Number,
    retryAt: Schema.NullOr(Schema.Number),
  }),
);

const attempt = { id: Text, expiresAt: Schema.Number };
const request = {
  address: Schema.NullOr(Text),
  tags: Schema.NullOr(Schema.Array(Text)),
  reach: Schema.NullOr(Schema.Array(Text)),
  key: Schema.optionalKey(Text),
};

/** The stored form of an attempt to connect an account. */
const attemptJson: StoredJson<ConnectAttempt> = secretJson(
  Schema.Union([
    Schema.TaggedStruct("Link", {
      ...attempt,
      request: Schema.Struct({ ...request, app: Schema.NullOr(Text) }),
      redirectUrl: Text,
      state: Schema.NullOr(Text),
      secret: Schema.optionalKey(Secret),
    }),
    Schema.TaggedStruct("Consent", {
      ...attempt,
      browser: Text,
      app: Text,
      nonce: Text,
      verifier: Secret,
      address: Schema.NullOr(Text),
      link: Schema.NullOr(Secret),
      network: Text,
    }),
    Schema.TaggedStruct("Device", {
      ...attempt,
      request: Schema.Struct({ ...request, app: Text }),
      deviceCode: Secret,
      intervalMillis: Schema.Number,
      nextPollAt: Schema.Number,
      state: Schema.Literals(["pending", "done", "denied", "expired"]),
      account: Schema.NullOr(Id),
    }),
  ]),
);

/** The stored forms of the records of this domain. */
export const oauthJson = { app: appJson, attempt: attemptJson, grant: grantJson };
