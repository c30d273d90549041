import { HttpApiMiddleware } from "effect/http-api";
import { bearer } from "./bearer.ts";
import { CurrentPrincipal } from "./CurrentPrincipal.ts";
import { AccountNeedsReauth, AccountNotFound, AccountPaused } from "../problems/accounts.ts";
import { TokenRejected } from "../problems/auth.ts";
import { ApplicationSuspended, InsufficientScope, KeyNetworkRefused, TooManyWrongKeys } from "../problems/keys.ts";
import { CredentialUnreadable, StoreUnavailable } from "../problems/mail-server.ts";
import { InvalidRequest, TooManyRequests } from "../problems/requests.ts";

/**
 * Security of operations on webhook endpoints. It equals `Authorization`, except that a request with a service key and
 * without the header `Postern-Account` concerns the endpoints of the key's application (spec 10.3).
 */
export class EndpointAuthorization extends HttpApiMiddleware.Service<
  EndpointAuthorization,
  { provides: CurrentPrincipal }
>()("@postern/api/EndpointAuthorization", {
  security: { bearer },
  error: [
    TokenRejected,
    InvalidRequest,
    InsufficientScope,
    KeyNetworkRefused,
    ApplicationSuspended,
    AccountNotFound,
    AccountPaused,
    AccountNeedsReauth,
    TooManyRequests,
    TooManyWrongKeys,
    StoreUnavailable,
    CredentialUnreadable,
  ],
}) {}
