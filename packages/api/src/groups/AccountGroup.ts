import { Schema } from "effect";
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api";
import { Authorization } from "../Authorization.ts";
import { StoreUnavailable } from "../problems/mail-server.ts";
import { Ok } from "../wire.ts";

const remove = HttpApiEndpoint.delete("remove", "/api/account", {
  success: Schema.Struct({ ok: Ok, data: Schema.Struct({ email: Schema.String }) }),
  error: StoreUnavailable,
})
  .middleware(Authorization)
  .annotate(OpenApi.Summary, "End all sessions and erase what is kept of the account")
  .annotate(OpenApi.Description, "The mail account itself and its mail stay as they are.");

/** The account as a whole (spec 3). */
export class AccountGroup extends HttpApiGroup.make("account")
  .add(remove)
  .annotate(OpenApi.Description, "What Postern keeps of an account.") {}
