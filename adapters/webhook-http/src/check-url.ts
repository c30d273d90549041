import type { EgressGuard, HostUnresolved } from "@postern/core/shared";
import { type EndpointUrl, readEndpointUrl, type UrlRefusal } from "@postern/core/webhooks";
import { Data, Effect, Result } from "effect";
import type { WebhookHttpSettings } from "./WebhookHttpOptions.ts";

/** A URL with the only addresses at which it may be contacted. */
export interface CheckedUrl extends EndpointUrl {
  readonly addresses: ReadonlyArray<string>;
}

/** The URL, or an address of its host, is refused. */
export class UrlRefused extends Data.TaggedError("UrlRefused")<{ readonly reason: UrlRefusal }> {}

/** Checks a URL with all the addresses of its host. */
export type UrlCheck = (url: string) => Effect.Effect<CheckedUrl, UrlRefused | HostUnresolved>;

export const urlCheck = (guard: EgressGuard["Service"], { allowHttp }: WebhookHttpSettings): UrlCheck =>
  Effect.fnUntraced(function* (text) {
    const read = readEndpointUrl(text);
    if (Result.isFailure(read)) return yield* new UrlRefused({ reason: read.failure });
    const url = read.success;
    if (!url.secure && !allowHttp) return yield* new UrlRefused({ reason: "not_https" });
    const judged = yield* Effect.catchTag(guard.resolve(url.host, url.port), "AddressDenied", () =>
      Effect.fail(new UrlRefused({ reason: "address" })),
    );
    if (!url.secure && judged.some(({ allowed }) => !allowed)) return yield* new UrlRefused({ reason: "not_https" });
    return { ...url, addresses: judged.map(({ address }) => address) };
  });
