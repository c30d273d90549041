import type { Kysely } from "kysely";
import type { Tables } from "../tables/Tables.ts";

/**
 * A step of the schema, forward only, in SQL that both databases support. It never changes after a release. It runs on
 * the tables of its time, so it moves rows with `sql`, not with today's types.
 */
export interface Migration {
  /** `<four digits>-<description>`; migrations run in the order of their names. */
  readonly name: string;
  readonly up: (db: Kysely<Tables>) => Promise<void>;
}
