// Use cases and workers
export { Audit, AuditTrail } from "./Audit.ts";

// Ports
export { AuditEntries } from "./ports/AuditEntries.ts";

// Records and rules
export type { AuditEntry } from "./AuditEntry.ts";
