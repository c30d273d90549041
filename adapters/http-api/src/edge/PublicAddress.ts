import { Context, Layer } from "effect";
import type { Cidr } from "../wire/request-client.ts";
import { prefixOf } from "./prefix-of.ts";
import { type SessionCookie, sessionCookieFor } from "./session-cookie.ts";

/** The public address of the service and its limits. */
export interface PublicAddressOptions {
  /** The URL that clients use (`BASE_URL`, spec 1). */
  readonly baseUrl: URL;
  /** Proxies whose `X-Forwarded-For` is trusted (`TRUSTED_PROXIES`, spec 1); none by default. */
  readonly trustedProxies?: ReadonlyArray<Cidr>;
  /** Maximum number of requests in flight; further requests are refused (spec 8). 1,000 by default. */
  readonly maxRequestsInFlight?: number;
}

/** The public address of the service, with the settings derived from it. */
export class PublicAddress extends Context.Service<
  PublicAddress,
  {
    readonly origin: string;
    /** The prefix of every path, such as `/mail`; empty if the service has its own origin. */
    readonly prefix: string;
    readonly https: boolean;
    /** Undefined if browsers cannot sign in at this address. */
    readonly sessionCookie: SessionCookie | undefined;
    readonly trustedProxies: ReadonlyArray<Cidr>;
    readonly maxRequestsInFlight: number;
  }
>()("@postern/http-api/PublicAddress") {
  static readonly layer = ({ baseUrl, trustedProxies = [], maxRequestsInFlight = 1_000 }: PublicAddressOptions) =>
    Layer.succeed(PublicAddress, {
      origin: baseUrl.origin,
      prefix: prefixOf(baseUrl),
      https: baseUrl.protocol === "https:",
      sessionCookie: sessionCookieFor(baseUrl),
      trustedProxies,
      maxRequestsInFlight,
    });
}
