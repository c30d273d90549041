import { CrossSiteRequest, TwoCredentials } from "@postern/api";
import type { HttpServerRequest } from "effect/http";
import type { SessionCookie } from "./session-cookie.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * What is wrong with how a request shows its session's cookie (spec 3), looked at before anything else is: a browser
 * sends it along for pages of other sites too. Returns undefined without the cookie.
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
      errors: [{ field: "Authorization", message: "came together with the session cookie" }],
    });
  }
  const isOurs = headers["sec-fetch-site"] === "same-origin" || headers["origin"] === origin;
  return SAFE_METHODS.has(method) || isOurs ? undefined : new CrossSiteRequest({ requestId });
};
