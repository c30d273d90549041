import { Context } from "effect";
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api";
import { TokenRejected } from "./problems/auth.ts";
import { StoreUnavailable } from "./problems/mail-server.ts";
import { InvalidRequest, TooManyRequests } from "./problems/requests.ts";

/** Who a request is from, once its credential was believed. */
export interface Principal {
  readonly account: string;
  readonly sessionId: string;
}

export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()("@postern/api/CurrentPrincipal") {}

/**
 * `Authorization: Bearer <ACCESS_TOKEN>` (spec 3.2) or the cookie of a browser's session (spec 3.5); 401 without one
 * that is good (spec 3.2).
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentPrincipal }>()(
  "@postern/api/Authorization",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: [TokenRejected, InvalidRequest, TooManyRequests, StoreUnavailable],
  },
) {}
