import { Context, Effect } from "effect";

/** The settings of the memory cache of data from mail servers (spec 5.1). */
export const ReadCacheSettings = Context.Reference<{
  /** `READ_CACHE_BYTES`, the size of the cache; 0 turns it off. */
  readonly bytes: number;
  /** Returns whether the process is short of memory; kept pages are then dropped first. */
  readonly isShort: Effect.Effect<boolean>;
}>("@postern/core/messages/ReadCacheSettings", {
  defaultValue: () => ({ bytes: 64 * 1024 * 1024, isShort: Effect.succeed(false) }),
});
