import { Context, type Effect } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { ListPlace } from "../../shared/neighbours.ts";
import type { AuditedOperation, AuditEntry } from "../AuditEntry.ts";

/** Which entries to list. A field that is null does not narrow the list. */
interface AuditFilter {
  readonly key: string | null;
  readonly account: string | null;
  readonly operations: ReadonlyArray<AuditedOperation> | null;
}

/** Stores the entries of the audit (spec 8.7). The erasure of an account does not erase its entries. */
export class AuditEntries extends Context.Service<
  AuditEntries,
  {
    /** Inserts the entries that are not stored yet. Entries of a change are inserted in the transaction of the change. */
    readonly insert: (entries: ReadonlyArray<AuditEntry>) => Effect.Effect<void, StoreUnavailable>;
    /** Lists up to `limit` entries after `after`, newest first; entries of equal age in descending order of their ids. */
    readonly list: (
      filter: AuditFilter,
      after: ListPlace | undefined,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<AuditEntry>, StoreUnavailable>;
    /** Deletes up to `limit` entries created before a time, optionally only of some operations; returns the number deleted. */
    readonly removeOld: (
      before: number,
      limit: number,
      only?: ReadonlyArray<AuditedOperation>,
    ) => Effect.Effect<number, StoreUnavailable>;
  }
>()("@postern/core/audit/ports/AuditEntries") {}
