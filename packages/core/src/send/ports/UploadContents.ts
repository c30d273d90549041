import { Context, type Effect, type Stream } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";

/** The bytes of uploads, by ids that are made up by us and never used twice (spec 6). */
export class UploadContents extends Context.Service<
  UploadContents,
  {
    /** Takes the bytes in as they come, never more than a part of them at a time; answers with how many there were. */
    readonly write: <E, R>(
      id: string,
      bytes: Stream.Stream<Uint8Array, E, R>,
    ) => Effect.Effect<number, E | StoreUnavailable, R>;
    /** The bytes as they were written; fails where there are none of this id. */
    readonly read: (id: string) => Stream.Stream<Uint8Array, StoreUnavailable>;
    /** Removes what there is, be it a part; nothing where there is none. */
    readonly remove: (id: string) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/send/ports/UploadContents") {}
