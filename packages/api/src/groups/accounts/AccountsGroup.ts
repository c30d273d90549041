import { accountFields } from "@postern/core/rules";
import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api";
import { params } from "../../records/account-params.ts";
import { AccountChange, AccountRecord, AccountStateName, Checks, OneAccount } from "../../records/account-records.ts";
import { create } from "./account-creation.ts";
import { connect, device, startDevice } from "./account-connections.ts";
import { endTrace, readTrace, startTrace } from "./account-trace.ts";
import { documented } from "../../document/documented.ts";
import { ACCOUNT, ACCOUNT_ID, CHECKS, EXPORT, FOLLOWED_ACCOUNT } from "../../examples/accounts.ts";
import { IfMatchHeaders } from "../../records/preconditions.ts";
import { KeyAuthorization } from "../../auth/KeyAuthorization.ts";
import {
  AccountChanged,
  AccountNotFound,
  AccountUnverified,
  CredentialRequired,
  OutsideReach,
  ServersFixed,
} from "../../problems/accounts.ts";
import { MAIL_SERVER_PROBLEMS, StoreUnavailable } from "../../problems/mail-server.ts";
import { OAuthAppRefused, OAuthProviderUnavailable, OtherUserConsented } from "../../problems/oauth.ts";
import { InvalidRequest } from "../../problems/requests.ts";
import { Deleted, Ok } from "../../records/wire.ts";

const oneAccount = Schema.Struct({ ok: Ok, data: OneAccount });

const list = HttpApiEndpoint.get("list", "/", {
  query: {
    state: Schema.optionalKey(AccountStateName),
    tag: Schema.optionalKey(accountFields.tag.annotate({ description: "Only accounts with this tag." })),
    query: Schema.optionalKey(
      accountFields.query.annotate({
        description: "Only accounts whose address or name contains this text; case is ignored.",
      }),
    ),
    cursor: Schema.optionalKey(accountFields.cursor.annotate({ description: "`nextCursor` of the previous page." })),
    limit: Schema.optionalKey(
      accountFields.limit.annotateKey({ description: "Accounts per page. Default: 50; more than 200 counts as 200." }),
    ),
  },
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Array(AccountRecord).annotate({ description: "The accounts, by address." }),
    nextCursor: Schema.NullOr(Schema.String).annotate({ description: "`cursor` of the next page; null at the end." }),
  }),
  error: [InvalidRequest, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "accounts:read",
    summary: "List the accounts",
    description: "Returns the accounts that the key reaches: managed accounts, and accounts that a sign-in created.",
    answer: { ok: true, data: [ACCOUNT], nextCursor: null },
  }),
);

const get = HttpApiEndpoint.get("get", "/:id", {
  params,
  success: oneAccount,
  error: [AccountNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "accounts:read",
    summary: "Read an account",
    description:
      "Returns the account with its state, and with the progress of recording it if all its folders are followed. " +
      "Its credential is never shown.",
    answer: { ok: true, data: FOLLOWED_ACCOUNT },
  }),
);

const change = HttpApiEndpoint.patch("change", "/:id", {
  params,
  headers: IfMatchHeaders,
  payload: AccountChange,
  success: oneAccount,
  error: [
    InvalidRequest,
    ServersFixed,
    OutsideReach,
    AccountNotFound,
    AccountChanged,
    AccountUnverified,
    CredentialRequired,
    OtherUserConsented,
    OAuthAppRefused,
    OAuthProviderUnavailable,
    ...MAIL_SERVER_PROBLEMS,
  ],
}).annotateMerge(
  documented({
    scope: "accounts:write",
    summary: "Change an account",
    description:
      "Changes the fields given; others stay. A new password or server is verified before it is stored. A change " +
      "of server needs `password` in the same request. On the new server folders and messages have other ids, " +
      "and mail that is already there is not announced.",
    request: { paused: true },
    answer: { ok: true, data: { ...ACCOUNT, following: null, state: "paused", watched: false } },
  }),
);

const remove = HttpApiEndpoint.delete("remove", "/:id", {
  params,
  headers: IfMatchHeaders,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      id: Schema.String.annotate({ description: "Id that the account had." }),
      email: Schema.String.annotate({ description: "Its address." }),
      deleted: Deleted,
    }).annotate({ description: "The deleted account." }),
  }),
  error: [AccountNotFound, AccountChanged, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "accounts:write",
    summary: "Delete an account",
    description:
      "Ends the account's sessions and streams, cancels its queued mail and erases what Postern stores of it, except " +
      "for `account.removed` and its deliveries, which stay for 14 days. Logs and backups are not changed. Its " +
      "mail stays on the mail server. A repeat gets 404.",
    answer: { ok: true, data: { id: ACCOUNT_ID, email: ACCOUNT.email, deleted: true } },
  }),
);

const verify = HttpApiEndpoint.post("verify", "/:id/verify", {
  params,
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({ state: AccountStateName, checks: Checks }).annotate({
      description: "The state after the checks, and their results.",
    }),
  }),
  error: [AccountNotFound, CredentialRequired, OAuthAppRefused, OAuthProviderUnavailable, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "accounts:write",
    summary: "Verify an account",
    description: "Signs in at both servers with the stored credential now. Changes nothing but the account's state.",
    answer: { ok: true, data: { state: "active", checks: CHECKS } },
  }),
);

const ProposedServer = Schema.Struct({
  host: Schema.String.annotate({ description: "Host name." }),
  port: Schema.Int.annotate({ description: "Port." }),
  security: Schema.Literals(["tls", "starttls", "none"]).annotate({ description: "How connections are encrypted." }),
});

const Candidate = Schema.Struct({
  source: Schema.String.annotate({
    description:
      "Where the servers were found: `operator`, `known_provider`, `autoconfig`, `srv`, `ispdb`, `mx`, or " +
      "`guess`, the least reliable.",
  }),
  reason: Schema.String.annotate({ description: "Why these servers are proposed." }),
  provider: Schema.NullOr(Schema.String).annotate({ description: "The known provider that runs the servers." }),
  imap: ProposedServer.annotate({ description: "The IMAP server." }),
  smtp: ProposedServer.annotate({ description: "The SMTP server." }),
  signIn: Schema.Array(
    Schema.Struct({
      kind: Schema.Literals(["password", "app_password", "oauth2"]).annotate({
        description: "Kind of credential; `app_password` is a password made for a single program.",
      }),
      helpPage: Schema.NullOr(Schema.String).annotate({
        description: "URL of a page of the provider that explains how to make an app password.",
      }),
      provider: Schema.NullOr(Schema.String).annotate({ description: "The authorization server of OAuth2." }),
    }),
  ).annotate({ description: "The kinds of sign-in that the servers accept, the best first." }),
});

const discover = HttpApiEndpoint.post("discover", "/discover", {
  payload: Schema.Struct({ email: accountFields.email.annotate({ description: "Address of a mailbox." }) }),
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      candidates: Schema.Array(Candidate).annotate({ description: "Pairs of servers, the most likely first." }),
    }).annotate({ description: "The proposals." }),
  }),
  error: InvalidRequest,
}).annotateMerge(
  documented({
    scope: "accounts:read",
    summary: "Discover mail servers",
    description:
      "Proposes the mail servers of an address from the table of known providers, autoconfig, DNS and guesses, " +
      "within 2 seconds. Sends neither a credential nor the name before the @.",
    request: { email: "ann@example.com" },
    answer: {
      ok: true,
      data: {
        candidates: [
          {
            source: "srv",
            reason: "The domain names these servers in DNS (SRV records).",
            provider: null,
            imap: { host: "imap.example.com", port: 993, security: "tls" },
            smtp: { host: "smtp.example.com", port: 587, security: "starttls" },
            signIn: [{ kind: "password", helpPage: null, provider: null }],
          },
        ],
      },
    },
  }),
);

const exportAll = HttpApiEndpoint.get("export", "/:id/export", {
  params,
  success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/x-ndjson" })),
  error: [AccountNotFound, StoreUnavailable],
}).annotateMerge(
  documented({
    scope: "accounts:write",
    summary: "Download what is kept of an account",
    description:
      "Streams a line of JSON, `{type, data}`, for each record: `account`, `session`, `identity`, `endpoint`, " +
      "`outbox`, `event` and `audit`, with the same fields as in the API and webhooks. Passwords, secrets, files " +
      "and the contents of messages are left out. If the database fails meanwhile, the connection ends before the " +
      "last line.",
    answer: EXPORT,
  }),
);

/** Accounts on any server (spec 10.3). */
export class AccountsGroup extends HttpApiGroup.make("accounts")
  .add(
    list,
    create,
    discover,
    connect,
    startDevice,
    device,
    get,
    change,
    remove,
    verify,
    exportAll,
    startTrace,
    readTrace,
    endTrace,
  )
  .prefix("/api/accounts")
  .middleware(KeyAuthorization)
  .annotate(OpenApi.Title, "Accounts")
  .annotate(OpenApi.Description, "The accounts of an application, on any mail server, for service and admin keys.") {}
