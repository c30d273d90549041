import { getHeapStatistics } from "node:v8";
import { Effect } from "effect";

/** The share of its maximum heap from which a process is short of memory. */
const SHORT_SHARE = 0.8;

/** Whether this process may soon need more memory for objects than Node allows (`--max-old-space-size`). */
export const isShortOfMemory: Effect.Effect<boolean> = Effect.sync(() => {
  const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
  return used > SHORT_SHARE * limit;
});
