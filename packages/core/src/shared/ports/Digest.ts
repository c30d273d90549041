import { Context, type Effect, type Stream } from "effect";

/** Hashes whole messages, to test whether two messages are the same. */
export class Digest extends Context.Service<
  Digest,
  {
    /** Reads a stream to its end without keeping it; returns its SHA-256 as base64url without padding. */
    readonly sha256: <E>(bytes: Stream.Stream<Uint8Array, E>) => Effect.Effect<string, E>;
  }
>()("@postern/core/shared/ports/Digest") {}
