import type { Kysely } from "kysely";
import type { Tables } from "../Tables.ts";

/**
 * One step of the schema, forward only, in words both databases know. Once released it never changes: it meets the
 * tables of its own day, so rows are moved with `sql`, not with the types of today.
 */
export interface Migration {
  /** `<four digits>-<what it brings>`; the order of names is the order of steps. */
  readonly name: string;
  readonly up: (db: Kysely<Tables>) => Promise<void>;
}
