import { Context, type Effect } from "effect";

/** The uploads whose bytes are kept in memory. */
export class UploadsInMemory extends Context.Service<
  UploadsInMemory,
  { readonly ids: Effect.Effect<ReadonlyArray<string>> }
>()("@postern/memory/UploadsInMemory") {}
