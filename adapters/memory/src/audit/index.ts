import { layer as AuditEntries } from "./AuditEntries.ts";

/** The stores of `audit`. */
export const layer = AuditEntries;
