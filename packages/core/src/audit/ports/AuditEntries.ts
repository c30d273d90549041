import { Context, type Effect } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { ListPlace } from "../../shared/neighbours.ts";
import type { AuditEntry } from "../AuditEntry.ts";

/** Which entries a list holds; a field that is null does not narrow it. */
interface AuditFilter {
  readonly key: string | null;
  readonly account: string | null;
  readonly operation: string | null;
}

/** Stores the entries of the audit (spec 8.7). They belong to no account: they outlive it. */
export class AuditEntries extends Context.Service<
  AuditEntries,
  {
    /** Inserts an entry in the transaction of the change that it records. */
    readonly insert: (entry: AuditEntry) => Effect.Effect<void, StoreUnavailable>;
    /** Up to `limit` entries, the newest first, of equal age by id from the end; those after `after`. */
    readonly list: (
      filter: AuditFilter,
      after: ListPlace | undefined,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<AuditEntry>, StoreUnavailable>;
    /** Deletes up to `limit` entries created before a time; the number deleted. */
    readonly removeOld: (before: number, limit: number) => Effect.Effect<number, StoreUnavailable>;
  }
>()("@postern/core/audit/ports/AuditEntries") {}
