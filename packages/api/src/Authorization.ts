import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api";
import { CurrentPrincipal } from "./CurrentPrincipal.ts";
import { TokenRejected } from "./problems/auth.ts";
import { StoreUnavailable } from "./problems/mail-server.ts";
import { InvalidRequest, TooManyRequests } from "./problems/requests.ts";

/**
 * Security of operations: `Authorization: Bearer <ACCESS_TOKEN>` (spec 3.2) or a browser's session cookie (spec 3.5). Without
 * a valid one the answer is 401.
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentPrincipal }>()(
  "@postern/api/Authorization",
  {
    security: {
      bearer: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotateMerge(
          OpenApi.annotations({
            description:
              "The `token` of `POST /api/auth/mobile-login`. It lives one hour; refresh it before it expires.",
            format: "JWT",
          }),
        ),
      ),
    },
    error: [TokenRejected, InvalidRequest, TooManyRequests, StoreUnavailable],
  },
) {}
