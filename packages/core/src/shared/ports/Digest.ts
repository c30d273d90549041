import { Context, type Effect } from "effect";

/** One-way fingerprints of text. */
export class Digest extends Context.Service<
  Digest,
  {
    /** SHA-256 of the UTF-8 bytes, as base64url without padding. */
    readonly sha256: (text: string) => Effect.Effect<string>;
  }
>()("@postern/core/shared/Digest") {}
