import { Schema } from "effect";
import { HttpApiEndpoint } from "effect/http-api";
import { NewAccount, OneAccount } from "../../records/account-records.ts";
import { documented } from "../../document/documented.ts";
import { ACCOUNT } from "../../examples/accounts.ts";
import { CreationKeyHeaders } from "../../records/preconditions.ts";
import {
  AccountBeingRemoved,
  AccountExists,
  AccountNotFound,
  AccountUnverified,
  OutsideReach,
  ServersFixed,
} from "../../problems/accounts.ts";
import { REPEAT_PROBLEMS } from "../../problems/creations.ts";
import { StoreUnavailable } from "../../problems/mail-server.ts";
import {
  GrantRefused,
  OAuthAppNotFound,
  OAuthAppRefused,
  OAuthProviderUnavailable,
  OtherUserConsented,
} from "../../problems/oauth.ts";
import { InvalidRequest } from "../../problems/requests.ts";
import { Ok } from "../../records/wire.ts";

export const create = HttpApiEndpoint.post("create", "/", {
  headers: CreationKeyHeaders,
  payload: NewAccount,
  success: Schema.Struct({ ok: Ok, data: OneAccount }),
  error: [
    InvalidRequest,
    ServersFixed,
    OutsideReach,
    AccountExists,
    AccountBeingRemoved,
    AccountUnverified,
    AccountNotFound,
    OAuthAppNotFound,
    GrantRefused,
    OtherUserConsented,
    OAuthAppRefused,
    OAuthProviderUnavailable,
    ...REPEAT_PROBLEMS,
    StoreUnavailable,
  ],
}).annotateMerge(
  documented({
    scope: "accounts:write",
    summary: "Add an account",
    description:
      "Signs in at the account's IMAP and SMTP servers, then stores the account with its credential: `password` " +
      "or `grant`. Servers that are not given are discovered; with `grant`, they are those of the app or its " +
      "provider. An account that a sign-in created becomes managed. If the account is already managed, the " +
      "answer is 409, except for a repeat with the same `Idempotency-Key`.",
    request: { email: ACCOUNT.email, name: ACCOUNT.name, password: "app-password", tags: ACCOUNT.tags },
    answer: { ok: true, data: { ...ACCOUNT, following: null } },
  }),
);
