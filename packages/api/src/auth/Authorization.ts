import { HttpApiMiddleware } from "effect/http-api";
import { bearer } from "./bearer.ts";
import { CurrentPrincipal } from "./CurrentPrincipal.ts";
import { AccountNeedsReauth, AccountNotFound, AccountPaused } from "../problems/accounts.ts";
import { TokenRejected } from "../problems/auth.ts";
import {
  AccountRequired,
  ApplicationSuspended,
  InsufficientScope,
  KeyNetworkRefused,
  TooManyWrongKeys,
} from "../problems/keys.ts";
import { CredentialUnreadable, StoreUnavailable } from "../problems/mail-server.ts";
import { InvalidRequest, TooManyRequests } from "../problems/requests.ts";

/**
 * Security of operations on the mailbox of an account: an access token (spec 3.2), a browser's session cookie (spec
 * 3.5), or a service key with the header `Postern-Account` (spec 10.2). Without a valid credential the answer is 401.
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentPrincipal }>()(
  "@postern/api/Authorization",
  {
    security: { bearer },
    error: [
      TokenRejected,
      InvalidRequest,
      AccountRequired,
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
  },
) {}
