import { type EndpointUrl, readEndpointUrl, type UrlRefusal } from "@postern/core/webhooks";
import { Data, Effect, Result } from "effect";
import { reachOf } from "./address-rules.ts";
import { type HostResolver, type NameFailure } from "./HostResolver.ts";
import type { WebhookHttpSettings } from "./WebhookHttpOptions.ts";

/** A URL with the only addresses at which it may be contacted. */
export interface CheckedUrl extends EndpointUrl {
  readonly addresses: ReadonlyArray<string>;
}

/** The egress guard refused the URL. */
export class EgressRefused extends Data.TaggedError("EgressRefused")<{ readonly reason: UrlRefusal }> {}

/** The host name of the URL cannot be resolved. */
export class NameUnresolved extends Data.TaggedError("NameUnresolved")<{ readonly reason: NameFailure }> {}

/** Checks a URL with all its addresses; one blocked address refuses it. */
export type UrlCheck = (url: string) => Effect.Effect<CheckedUrl, EgressRefused | NameUnresolved>;

export const urlCheck = (resolve: HostResolver, { allowedNetworks }: WebhookHttpSettings): UrlCheck =>
  Effect.fnUntraced(function* (text) {
    const read = readEndpointUrl(text);
    if (Result.isFailure(read)) return yield* new EgressRefused({ reason: read.failure });
    const url = read.success;
    if (!url.secure && allowedNetworks.length === 0) return yield* new EgressRefused({ reason: "not_https" });
    const addresses = url.isAddress
      ? [url.host]
      : yield* Effect.mapError(resolve(url.host), (reason) => new NameUnresolved({ reason }));
    const reaches = addresses.map((address) => reachOf(address, allowedNetworks));
    if (reaches.includes("blocked")) return yield* new EgressRefused({ reason: "address" });
    if (!url.secure && reaches.includes("public")) return yield* new EgressRefused({ reason: "not_https" });
    return { ...url, addresses };
  });
