import { performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { Effect } from "effect";

/** Milliseconds between two checks of the process. */
const CHECK_INTERVAL = 10_000;
/** The number of consecutive checks that must find the process idle. */
const IDLE_CHECKS = 3;
/** The maximum share of time that an idle process works; watching thousands of accounts takes some time. */
const IDLE = 0.25;
/** The minimum growth of the heap in bytes that makes a collection worth its pause. */
const MIN_GROWTH_BYTES = 16 << 20;

/** The number of checks for which a process has been idle, and the bytes of heap after its last collection. */
export interface Idleness {
  readonly looks: number;
  readonly heapLeft: number;
}

export const STARTED: Idleness = { looks: 0, heapLeft: 0 };

/** Returns whether a process that worked for this share of the time since the last check should collect its garbage. */
export const nextIdleness = (
  { looks, heapLeft }: Idleness,
  { utilization, heap }: { readonly utilization: number; readonly heap: number },
): { readonly next: Idleness; readonly isDue: boolean } => {
  const idle = utilization > IDLE ? 0 : looks + 1;
  return { next: { looks: idle, heapLeft }, isDue: idle >= IDLE_CHECKS && heap - heapLeft > MIN_GROWTH_BYTES };
};

/**
 * Repeatedly collects garbage when the process has been idle for half a minute; never ends. V8 collects old objects
 * only while the program allocates new ones, so an idle process would keep the memory of a busy hour. Needs Node's
 * `--expose-gc`.
 */
export const collectWhenIdle: Effect.Effect<void> = Effect.gen(function* () {
  const { gc } = globalThis;
  if (gc === undefined) return;
  let idleness = STARTED;
  let before = performance.eventLoopUtilization();
  for (;;) {
    yield* Effect.sleep(CHECK_INTERVAL);
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const { next, isDue } = nextIdleness(idleness, { utilization, heap: getHeapStatistics().total_heap_size });
    idleness = next;
    if (!isDue) continue;
    // This flavor also returns pages of memory to the system.
    gc({ type: "major", execution: "sync", flavor: "last-resort" });
    idleness = { looks: 0, heapLeft: getHeapStatistics().total_heap_size };
  }
});
