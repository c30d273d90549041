import { EndpointPolicy, EndpointUrlRefused, readEndpointUrl } from "@postern/core/webhooks";
import { Effect, Layer, Result } from "effect";
import { ReceiversInMemory } from "./ReceiversInMemory.ts";

/**
 * Applies the rules for host names; all names are public except names in `.invalid`. Unlike the real adapter it refuses
 * every IP address that is not a receiver's, because distinguishing public from private addresses needs a library.
 */
export const layer = Layer.effect(
  EndpointPolicy,
  Effect.map(ReceiversInMemory, (receivers) => ({
    check: Effect.fnUntraced(function* (url: string) {
      if (receivers.has(url)) return;
      const read = readEndpointUrl(url);
      if (Result.isFailure(read)) return yield* new EndpointUrlRefused({ reason: read.failure });
      const { isAddress, secure, host } = read.success;
      if (isAddress) return yield* new EndpointUrlRefused({ reason: "address" });
      if (!secure) return yield* new EndpointUrlRefused({ reason: "not_https" });
      if (host.endsWith(".invalid")) return yield* new EndpointUrlRefused({ reason: "unknown_name" });
    }),
  })),
);
