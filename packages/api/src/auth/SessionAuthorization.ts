import { HttpApiMiddleware } from "effect/http-api";
import { bearer } from "./bearer.ts";
import { CurrentPrincipal } from "./CurrentPrincipal.ts";
import { AccountNotFound } from "../problems/accounts.ts";
import { TokenRejected } from "../problems/auth.ts";
import { ApplicationSuspended, InsufficientScope, KeyNetworkRefused, TooManyWrongKeys } from "../problems/keys.ts";
import { CredentialUnreadable, StoreUnavailable } from "../problems/mail-server.ts";
import { InvalidRequest, TooManyRequests } from "../problems/requests.ts";

/** Security of operations on sessions (spec 3.4) or on the whole account, which only a session may use, not a key. */
export class SessionAuthorization extends HttpApiMiddleware.Service<
  SessionAuthorization,
  { provides: CurrentPrincipal }
>()("@postern/api/SessionAuthorization", {
  security: { bearer },
  error: [
    TokenRejected,
    InvalidRequest,
    InsufficientScope,
    KeyNetworkRefused,
    ApplicationSuspended,
    AccountNotFound,
    TooManyRequests,
    TooManyWrongKeys,
    StoreUnavailable,
    CredentialUnreadable,
  ],
}) {}
