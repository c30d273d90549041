import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { documented } from "../documented.ts";
import { StoreUnavailable } from "../problems/mail-server.ts";
import { SessionAuthorization } from "../SessionAuthorization.ts";
import { Ok } from "../wire.ts";

const remove = HttpApiEndpoint.delete("remove", "/api/account", {
  success: Schema.Struct({
    ok: Ok,
    data: Schema.Struct({
      email: Schema.String.annotate({ description: "Address of the account that was erased." }),
    }).annotate({ description: "The erased account." }),
  }),
  error: StoreUnavailable,
})
  .middleware(SessionAuthorization)
  .annotateMerge(
    documented({
      summary: "Erase the account",
      description:
        "Ends all sessions and erases everything Postern stores of the account: credential, outbox, webhook endpoints, " +
        "events and uploads. The mailbox and its mail stay as they are. A new sign-in starts afresh.",
      answer: { ok: true, data: { email: "demo@postern.test" } },
    }),
  );

/** The account as a whole (spec 3). */
export class AccountGroup extends HttpApiGroup.make("account")
  .add(remove)
  .annotate(OpenApi.Title, "Account")
  .annotate(OpenApi.Description, "Everything that Postern stores of an account.") {}
