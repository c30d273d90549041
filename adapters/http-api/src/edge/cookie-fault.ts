import { CrossSiteRequest, TwoCredentials } from "@postern/api";
import type { HttpServerRequest } from "effect/http";
import type { SessionCookie } from "./session-cookie.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Returns the problem with the way a request presents the session cookie (spec 3); undefined without the cookie or a
 * problem. Runs before everything else, because browsers send the cookie with requests from other sites too.
 */
export const cookieFault = (
  { cookies, headers, method }: HttpServerRequest.HttpServerRequest,
  cookie: SessionCookie | undefined,
  origin: string,
  requestId: string,
): TwoCredentials | CrossSiteRequest | undefined => {
  if (cookie === undefined || headers["cookie"] === undefined || cookies[cookie.name] === undefined) return undefined;
  if (headers["authorization"] !== undefined) {
    return new TwoCredentials({
      requestId,
      errors: [{ field: "Authorization", message: "must not be sent together with the session cookie" }],
    });
  }
  const isOurs = headers["sec-fetch-site"] === "same-origin" || headers["origin"] === origin;
  return SAFE_METHODS.has(method) || isOurs ? undefined : new CrossSiteRequest({ requestId });
};
