import { Context, type Effect, type Stream } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";

/** The store of uploaded bytes, by ids that Postern generates and never reuses (spec 6). */
export class UploadContents extends Context.Service<
  UploadContents,
  {
    /** Writes a stream without holding it in memory; returns the number of bytes. */
    readonly write: <E, R>(
      id: string,
      bytes: Stream.Stream<Uint8Array, E, R>,
    ) => Effect.Effect<number, E | StoreUnavailable, R>;
    /** Reads the bytes; fails if no bytes have this id. */
    readonly read: (id: string) => Stream.Stream<Uint8Array, StoreUnavailable>;
    /** Removes the bytes, complete or not; no effect if no bytes have this id. */
    readonly remove: (id: string) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/send/ports/UploadContents") {}
