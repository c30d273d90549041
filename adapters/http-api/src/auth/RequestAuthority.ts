import type { AccountId } from "@postern/core/shared";
import { Context, type Effect } from "effect";
import type { HttpServerRequest } from "effect/http";

/** The identity that a host asserts: an account, or `operator`, which has the rights of the admin key. */
export type AssertedIdentity = AccountId | typeof OPERATOR;

/** The sender that stands for the host itself, with access to all accounts. No address has this form. */
export const OPERATOR = "operator";

/**
 * The function with which a host that embeds the service replaces Postern's sessions. The function returns the sender
 * of a request, or undefined for an unauthenticated request. Null by default.
 */
export const RequestAuthority = Context.Reference<
  ((request: HttpServerRequest.HttpServerRequest) => Effect.Effect<AssertedIdentity | undefined>) | null
>("@postern/http-api/RequestAuthority", { defaultValue: () => null });
