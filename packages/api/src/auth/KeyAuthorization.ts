import { HttpApiMiddleware } from "effect/http-api";
import { bearer } from "./bearer.ts";
import { CurrentPrincipal } from "./CurrentPrincipal.ts";
import { TokenRejected } from "../problems/auth.ts";
import { ApplicationSuspended, InsufficientScope, KeyNetworkRefused, TooManyWrongKeys } from "../problems/keys.ts";
import { CredentialUnreadable, StoreUnavailable } from "../problems/mail-server.ts";
import { InvalidRequest, TooManyRequests } from "../problems/requests.ts";

/** Security of operations that manage accounts or keys (spec 10.2): the admin key, or a service key with the operation's scope. */
export class KeyAuthorization extends HttpApiMiddleware.Service<KeyAuthorization, { provides: CurrentPrincipal }>()(
  "@postern/api/KeyAuthorization",
  {
    security: { bearer },
    error: [
      TokenRejected,
      InvalidRequest,
      InsufficientScope,
      KeyNetworkRefused,
      ApplicationSuspended,
      TooManyRequests,
      TooManyWrongKeys,
      StoreUnavailable,
      CredentialUnreadable,
    ],
  },
) {}
