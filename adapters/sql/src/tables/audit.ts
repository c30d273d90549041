import type { AuditEntry } from "@postern/core/audit";
import { columnsOf } from "./columns.ts";

/** The tables of `audit`. */
export interface AuditTables {
  readonly audit_entry: ReturnType<typeof AUDIT_ENTRY.rowOf>;
}

/** The columns of an entry. */
export const AUDIT_ENTRY = columnsOf<AuditEntry>()({
  id: "text",
  createdAt: "bigint",
  operation: "text",
  key: "text",
  application: "text",
  account: "text",
  target: "text",
});
