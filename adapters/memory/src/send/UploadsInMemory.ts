import { Context, type Effect } from "effect";

/** The contents of uploads by id. */
export class UploadsInMemory extends Context.Service<
  UploadsInMemory,
  { readonly ids: Effect.Effect<ReadonlyArray<string>> }
>()("@postern/memory/UploadsInMemory") {}
