import { eventLedgerContract } from "./event-ledger-contract.ts";

/** The contracts of the stores of `events`, by port. */
export const eventsStores = {
  EventLedger: eventLedgerContract,
};
