import { type EgressGuard, HostUnresolved, type CheckedAddress } from "@postern/core/shared";
import { type EndpointUrl, readEndpointUrl, type UrlRefusal } from "@postern/core/webhooks";
import { Data, Effect, Result } from "effect";
import type { WebhookHttpSettings } from "./WebhookHttpOptions.ts";

/** A URL with the only addresses at which it may be contacted. */
export interface CheckedUrl extends EndpointUrl {
  readonly addresses: ReadonlyArray<CheckedAddress>;
}

/** The URL, or an address of its host, is refused. */
export class UrlRefused extends Data.TaggedError("UrlRefused")<{ readonly reason: UrlRefusal }> {}

/** How many parsed URLs are cached. The addresses of their hosts are never cached. */
const MAX_KNOWN = 1_000;

/** Checks a URL with all the addresses of its host. */
export type UrlCheck = (url: string) => Effect.Effect<CheckedUrl, UrlRefused | HostUnresolved>;

export const urlCheck = (guard: EgressGuard["Service"], { allowHttp, timeout }: WebhookHttpSettings): UrlCheck => {
  const known = new Map<string, ReturnType<typeof readEndpointUrl>>();
  const readOnce = (text: string) => {
    const read = known.get(text) ?? readEndpointUrl(text);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, read);
    return read;
  };
  const addressesOf = ({ host, port, isAddress }: EndpointUrl) =>
    isAddress
      ? guard.resolve(host, port)
      : Effect.timeoutOrElse(guard.resolve(host, port), {
          duration: timeout,
          orElse: () => Effect.fail(new HostUnresolved({ reason: "dns_timeout" })),
        });

  return Effect.fnUntraced(function* (text) {
    const read = readOnce(text);
    if (Result.isFailure(read)) return yield* new UrlRefused({ reason: read.failure });
    const url = read.success;
    if (!url.secure && !allowHttp) return yield* new UrlRefused({ reason: "not_https" });
    const checked = yield* Effect.catchTag(addressesOf(url), "AddressDenied", () =>
      Effect.fail(new UrlRefused({ reason: "address" })),
    );
    if (!url.secure && checked.some(({ allowed }) => !allowed)) return yield* new UrlRefused({ reason: "not_https" });
    return { ...url, addresses: checked };
  });
};
