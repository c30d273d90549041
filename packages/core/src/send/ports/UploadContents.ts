import { Context, type Effect, type Stream } from "effect";
import type { StoreUnavailable } from "../../shared/StoreUnavailable.ts";
import type { UploadTooLarge } from "../errors.ts";

/** The bytes of uploads (decisions 6). */
export class UploadContents extends Context.Service<
  UploadContents,
  {
    /** Takes the bytes in as they come; answers with how many there were. */
    readonly write: <E, R>(
      id: string,
      bytes: Stream.Stream<Uint8Array, E, R>,
    ) => Effect.Effect<number, E | UploadTooLarge | StoreUnavailable, R>;
    readonly read: (id: string) => Stream.Stream<Uint8Array, StoreUnavailable>;
    readonly remove: (id: string) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/send/UploadContents") {}
