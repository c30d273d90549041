// Use cases and workers
export { Creations } from "./Creations.ts";

// Ports
export { CreationRecords } from "./ports/CreationRecords.ts";

// Errors
export { CreatedThenDeleted, CreationInProgress } from "./errors.ts";

// Records and rules
export type { CreationRecord } from "./CreationRecord.ts";
export type { CreationKey } from "./Creations.ts";
