import { RecordId } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint } from "effect/http-api";
import { NewConnection, NewDevice } from "../../records/account-records.ts";
import { REPEAT_PROBLEMS } from "../../problems/creations.ts";
import { CreationKeyHeaders } from "../../records/preconditions.ts";
import { documented } from "../../document/documented.ts";
import { ACCOUNT, ACCOUNT_ID } from "../../examples/accounts.ts";
import { AccountBeingRemoved, AccountNotFound, AccountUnverified, OutsideReach } from "../../problems/accounts.ts";
import { StoreUnavailable } from "../../problems/mail-server.ts";
import {
  DeviceNotFound,
  GrantRefused,
  OAuthAppNotFound,
  OAuthAppRefused,
  OAuthProviderUnavailable,
  OtherUserConsented,
} from "../../problems/oauth.ts";
import { InvalidRequest } from "../../problems/requests.ts";
import { Ok } from "../../records/wire.ts";

const DEVICE_ID = "ac8Zl2Yk0vTQm1dJr5xWbA";

/** Creates the URL of a page on which a user connects an account (spec 11.3). */
export const connect = HttpApiEndpoint.post("connect", "/connect", {
  headers: CreationKeyHeaders,
  payload: NewConnection,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      url: Schema.String.annotate({ description: "URL to open in the user's browser, once, within ten minutes." }),
    }).annotate({ description: "The page." }),
  }),
  error: [InvalidRequest, OutsideReach, OAuthAppNotFound, StoreUnavailable, ...REPEAT_PROBLEMS],
}).annotateMerge(
  documented({
    scope: "accounts:write",
    summary: "Connect an account in a browser",
    description:
      "Returns the URL of a page on which a user connects one account: by the consent of an OAuth2 provider, or " +
      "with a password. The browser is then redirected to `redirectUrl` with `account` or `error`, and `state`. A " +
      "repeat creates another page, unless both requests have the same `Idempotency-Key`.",
    request: {
      email: ACCOUNT.email,
      provider: "google",
      redirectUrl: "https://app.example.com/connected",
      state: "42",
    },
    answer: { ok: true, data: { url: "https://mail.example.com/connect/s3cr3t" } },
  }),
);

/** Starts a device authorization (spec 11.3). */
export const startDevice = HttpApiEndpoint.post("startDevice", "/connect/device", {
  payload: NewDevice,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      id: Schema.String.annotate({ description: "Id, for GET /api/accounts/connect/device/{id}." }),
      userCode: Schema.String.annotate({ description: "Code that the user types at `verificationUrl`." }),
      verificationUrl: Schema.String.annotate({ description: "URL at which the user consents." }),
      expiresIn: Schema.Int.annotate({ description: "Seconds until the authorization expires." }),
      interval: Schema.Int.annotate({ description: "Seconds to wait between two requests for the state." }),
    }).annotate({ description: "The started authorization." }),
  }),
  error: [
    InvalidRequest,
    OutsideReach,
    OAuthAppNotFound,
    GrantRefused,
    OAuthAppRefused,
    OAuthProviderUnavailable,
    StoreUnavailable,
  ],
}).annotateMerge(
  documented({
    scope: "accounts:write",
    summary: "Connect an account on another device",
    description: "Starts a device authorization (RFC 8628), for programs without a browser.",
    request: { provider: "microsoft" },
    answer: {
      ok: true,
      data: {
        id: DEVICE_ID,
        userCode: "WDJB-MJHT",
        verificationUrl: "https://microsoft.com/devicelogin",
        expiresIn: 900,
        interval: 5,
      },
    },
  }),
);

/** Reads the state of a device authorization. */
export const device = HttpApiEndpoint.get("device", "/connect/device/:id", {
  params: { id: RecordId.annotate({ description: "Id of the device authorization.", examples: [DEVICE_ID] }) },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      state: Schema.Literals(["pending", "done", "denied", "expired"]).annotate({
        description: "`pending` until the user has consented.",
      }),
      account: Schema.NullOr(Schema.String).annotate({ description: "Id of the account once the state is `done`." }),
    }).annotate({ description: "The state." }),
  }),
  error: [
    DeviceNotFound,
    InvalidRequest,
    OutsideReach,
    AccountNotFound,
    AccountBeingRemoved,
    AccountUnverified,
    OtherUserConsented,
    OAuthAppNotFound,
    GrantRefused,
    OAuthAppRefused,
    OAuthProviderUnavailable,
    StoreUnavailable,
  ],
}).annotateMerge(
  documented({
    scope: "accounts:write",
    summary: "Read a device authorization",
    description:
      "Asks the provider whether the user has consented, at most once per `interval`, and connects the account. A " +
      "failure to connect is answered once; the state is `denied` afterwards.",
    answer: { ok: true, data: { state: "done", account: ACCOUNT_ID } },
  }),
);
