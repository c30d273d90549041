/** What only other domains of the core use of this one, beside its `index.ts`. */

// Records and rules
export type { AccountData, EndedData } from "./AccountData.ts";
export { batchedWriter } from "./batched-writer.ts";
export { checkerOf, checkId, failOn, faultsBy } from "./checker-of.ts";
export { ROWS_AT_ONCE } from "./in-slices.ts";
export { endUnlessHeld, isHeld, leasedWorker, type LeasedWorker } from "./leased-work.ts";
export { repeatSteps } from "./repeat-steps.ts";
export { retryDelay } from "./retry-ladder.ts";
export { storedJson, VERSION_1 } from "./stored-json.ts";
export type { Worker } from "./Worker.ts";
