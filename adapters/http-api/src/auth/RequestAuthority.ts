import type { AccountId } from "@postern/core/shared";
import { Context, type Effect } from "effect";
import type { HttpServerRequest } from "effect/http";

/** The identity that a host asserts: an account, or `operator`, which has the rights of the admin key. */
export type Vouched = AccountId | typeof OPERATOR;

/** Stands for the host itself, with access to all accounts. No address has this form. */
export const OPERATOR = "operator";

/**
 * Returns the sender of a request; undefined if it is unauthenticated. A host that embeds the service provides it to
 * replace the sessions of Postern; null by default.
 */
export const RequestAuthority = Context.Reference<
  ((request: HttpServerRequest.HttpServerRequest) => Effect.Effect<Vouched | undefined>) | null
>("@postern/http-api/RequestAuthority", { defaultValue: () => null });
