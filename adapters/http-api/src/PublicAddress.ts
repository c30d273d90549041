import { Context, Layer } from "effect";
import type { Cidr } from "./client-network.ts";
import { prefixOf } from "./prefix-of.ts";
import { type SessionCookie, sessionCookieFor } from "./session-cookie.ts";

/** How clients reach the service. */
export interface PublicAddressOptions {
  /** The address they use (`BASE_URL`, spec 1). */
  readonly baseUrl: URL;
  /** The proxies on the way whose `X-Forwarded-For` is believed (`TRUSTED_PROXIES`, spec 1); by default none. */
  readonly trustedProxies?: ReadonlyArray<Cidr>;
  /** Requests that may be without an answer at once; one more is refused (spec 8). By default 1,000. */
  readonly maxRequestsInFlight?: number;
}

/** How clients reach the service, and what follows from it. */
export class PublicAddress extends Context.Service<
  PublicAddress,
  {
    readonly origin: string;
    /** What the path of every address begins with, such as `/mail`; empty where the service has an origin to itself. */
    readonly prefix: string;
    readonly https: boolean;
    /** None where browsers cannot sign in. */
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
