import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { OwnAccount, OwnAccountChange } from "../records/account-records.ts";
import { ACCOUNT_ID } from "../examples/accounts.ts";
import { documented } from "../document/documented.ts";
import { AccountNotFound } from "../problems/accounts.ts";
import { MAIL_SERVER_PROBLEMS, StoreUnavailable } from "../problems/mail-server.ts";
import { InvalidRequest } from "../problems/requests.ts";
import { SessionAuthorization } from "../auth/SessionAuthorization.ts";
import { Deleted, Ok } from "../records/wire.ts";

const get = HttpApiEndpoint.get("get", "/api/account", {
  success: Schema.Struct({ ok: Ok, data: OwnAccount }),
  error: [AccountNotFound, StoreUnavailable],
})
  .middleware(SessionAuthorization)
  .annotateMerge(
    documented({
      summary: "Show the account",
      description:
        "Returns whether the mail server accepts the account, how the account signs in there, and what its user can do if it " +
        "is refused. The mail server is not contacted.",
      answer: {
        ok: true,
        data: {
          email: "demo@postern.test",
          state: "needs_reauth",
          reason: {
            code: "grant_revoked",
            message: "The provider withdrew the consent. Connect the account again.",
            since: "2026-03-02T09:30:00.000Z",
          },
          auth: { kind: "oauth2", provider: "google" },
          follow: "inbox",
          following: null,
        },
      },
    }),
  );

const change = HttpApiEndpoint.patch("change", "/api/account", {
  payload: OwnAccountChange,
  success: Schema.Struct({ ok: Ok, data: OwnAccount }),
  error: [InvalidRequest, AccountNotFound, ...MAIL_SERVER_PROBLEMS],
})
  .middleware(SessionAuthorization)
  .annotateMerge(
    documented({
      summary: "Change the account",
      description:
        "Changes which folders of the account are followed. With `follow: all`, every folder is watched from " +
        "the answer on, whether or not an endpoint or a stream waits for events. Earlier messages are recorded " +
        "afterwards; `following` shows the progress.",
      request: { follow: "all" },
      answer: {
        ok: true,
        data: {
          email: "demo@postern.test",
          state: "active",
          reason: null,
          auth: { kind: "password", provider: null },
          follow: "all",
          following: { folders: 12, done: 3, messages: 4_711 },
        },
      },
    }),
  );

const remove = HttpApiEndpoint.delete("remove", "/api/account", {
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      id: Schema.String.annotate({ description: "Id of the account that was erased." }),
      email: Schema.String.annotate({ description: "Address of the account." }),
      deleted: Deleted,
    }).annotate({ description: "The erased account." }),
  }),
  error: StoreUnavailable,
})
  .middleware(SessionAuthorization)
  .annotateMerge(
    documented({
      summary: "Erase the account",
      description:
        "Ends all sessions and erases what Postern stores of the account: credential, outbox, webhook endpoints, " +
        "events and uploads. `account.removed` and its deliveries to applications stay for 14 days; logs and backups are " +
        "not changed. The mailbox and its mail stay as they are. A new sign-in starts without the erased data.",
      answer: { ok: true, data: { id: ACCOUNT_ID, email: "demo@postern.test", deleted: true } },
    }),
  );

/** The account as a whole (spec 3). */
export class AccountGroup extends HttpApiGroup.make("account")
  .add(get, change, remove)
  .annotate(OpenApi.Title, "Account")
  .annotate(OpenApi.Description, "The account as a whole.") {}
