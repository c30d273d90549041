import { auditEntriesContract } from "./audit-entries-contract.ts";

/** The contracts of the stores of `audit`, by port. */
export const auditStores = {
  AuditEntries: auditEntriesContract,
};
