import { Context, Effect } from "effect";

/** How much data read from mail servers is kept in memory (spec 5.1). */
export const ReadCacheSettings = Context.Reference<{
  /** `READ_CACHE_BYTES`; 0 keeps nothing. */
  readonly bytes: number;
  /** Whether the process is short of memory; kept pages are then dropped first. */
  readonly isShort: Effect.Effect<boolean>;
}>("@postern/core/messages/ReadCacheSettings", {
  defaultValue: () => ({ bytes: 64 * 1024 * 1024, isShort: Effect.succeed(false) }),
});
