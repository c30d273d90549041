import { Context } from "effect";

/**
 * Computes keyed hashes for signatures (RFC 2104, spec 7.1). The functions are synchronous, because the largest body
 * takes only a few microseconds.
 */
export class Hmac extends Context.Service<
  Hmac,
  {
    /** Prepares HMAC-SHA-256 with a key; the returned function hashes the concatenated parts to 32 bytes. */
    readonly sha256: (key: Uint8Array) => (...parts: ReadonlyArray<Uint8Array>) => Uint8Array;
  }
>()("@postern/core/webhooks/ports/Hmac") {}
