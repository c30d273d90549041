import type { RawBuilder } from "kysely";

/** A function of the database. A later version of one that takes or answers something else needs another name. */
export interface DatabaseFunction {
  readonly name: string;
  /** The types of its parameters, which its body calls `$1`, `$2` and so on. */
  readonly takes: ReadonlyArray<string>;
  readonly answers: string;
  /** Further settings of the server while it runs. */
  readonly settings?: ReadonlyArray<string>;
  /** `stable`: it only reads, and all its statements see one snapshot. */
  readonly volatility: "stable" | "volatile";
  /** In PL/pgSQL. */
  readonly body: RawBuilder<unknown>;
}
