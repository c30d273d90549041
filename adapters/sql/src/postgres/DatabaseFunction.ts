import type { RawBuilder } from "kysely";

/** A function of the database. A later version with other parameters or another result needs another name. */
export interface DatabaseFunction {
  readonly name: string;
  /** The types of its parameters, which its body calls `$1`, `$2` and so on. */
  readonly takes: ReadonlyArray<string>;
  readonly answers: string;
  /** Further settings of the server while the function runs. */
  readonly settings?: ReadonlyArray<string>;
  /** `stable`: it only reads, and all its statements see one snapshot. */
  readonly volatility: "stable" | "volatile";
  /** The body in PL/pgSQL. */
  readonly body: RawBuilder<unknown>;
}
