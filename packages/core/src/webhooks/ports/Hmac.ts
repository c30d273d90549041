import { Context } from "effect";

/** Keyed hashes for signatures (RFC 2104, spec 3.2). Synchronous: a few microseconds for the largest body. */
export class Hmac extends Context.Service<
  Hmac,
  {
    /** HMAC-SHA-256 with this key, made ready once for any number of messages: 32 bytes for all parts in a row. */
    readonly sha256: (key: Uint8Array) => (...parts: ReadonlyArray<Uint8Array>) => Uint8Array;
  }
>()("@postern/core/webhooks/ports/Hmac") {}
