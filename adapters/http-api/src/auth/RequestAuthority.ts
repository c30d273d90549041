import type { AccountId } from "@postern/core/shared";
import { Context, type Effect } from "effect";
import type { HttpServerRequest } from "effect/http";

/**
 * Returns the account of a request, or undefined for an unauthenticated one. A host that embeds the service provides it
 * to replace the sessions of Postern; null by default, where those decide.
 */
export const RequestAuthority = Context.Reference<
  ((request: HttpServerRequest.HttpServerRequest) => Effect.Effect<AccountId | undefined>) | null
>("@postern/http-api/RequestAuthority", { defaultValue: () => null });
