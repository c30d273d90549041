/** Exports for other domains of the core only; `index.ts` has the exports for all packages. */

// Records and rules
export { webhooks } from "./module.ts";
export { reachEntriesOf } from "./WebhookSubscriber.ts";
export { ledgerOf, ownEvents, publishRemoval } from "./own-events.ts";
export { type ApplicationWatches, applicationWatches, watchNewAccounts, watchReached } from "./endpoint-watches.ts";
