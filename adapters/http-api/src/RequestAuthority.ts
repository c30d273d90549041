import type { AccountId } from "@postern/core/shared";
import { Context, type Effect } from "effect";
import type { HttpServerRequest } from "effect/http";

/**
 * Tells which account a request is from, or undefined where it is from none. A host that embeds the service gives it in
 * place of the sessions kept here; null where they decide.
 */
export const RequestAuthority = Context.Reference<
  ((request: HttpServerRequest.HttpServerRequest) => Effect.Effect<AccountId | undefined>) | null
>("@postern/http-api/RequestAuthority", { defaultValue: () => null });
