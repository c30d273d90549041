/** Exports for other domains of the core only; `index.ts` has the exports for all packages. */

// Use cases and workers
export { AllAccountData } from "./AllAccountData.ts";

// Records and rules
export type { AccountData, EndedData, WaitingMail } from "./AccountData.ts";
export { batchedWriter } from "./batched-writer.ts";
export { checkerOf, checkId, failOn, faultsBy } from "./checker-of.ts";
export { ROWS_AT_ONCE } from "./in-slices.ts";
export { latin1Text } from "./latin1-text.ts";
export type { HeldLease } from "./Lease.ts";
export { endUnlessHeld, isHeld, leasedWorker, type LeasedWorker } from "./leased-work.ts";
export { checkPage, type ListPlace, type Page, pageOf, type PageRequest, readPage } from "./list-page.ts";
export type { FolderId, MailboxKey } from "./MailboxKey.ts";
export { repeatSteps } from "./repeat-steps.ts";
export { retryDelay } from "./retry-ladder.ts";
export { storedJson, VERSION_1 } from "./stored-json.ts";
export type { Worker } from "./Worker.ts";
export { IdScopes } from "./IdScopes.ts";
