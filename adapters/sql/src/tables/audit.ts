import type { AuditEntry } from "@postern/core/audit";
import { columnsOf } from "./columns.ts";

/** The tables of `audit`. */
export interface AuditTables {
  readonly audit_entry: ReturnType<typeof AUDIT_ENTRY.rowOf>;
}

/** The columns of an entry. Spaces separate the ids. */
export const AUDIT_ENTRY = columnsOf<Omit<AuditEntry, "ids"> & { readonly ids: string }>()({
  id: "text",
  createdAt: "bigint",
  operation: "text",
  key: "text",
  application: "text",
  account: "text",
  target: "text",
  ids: "text",
  outcome: "text",
});
