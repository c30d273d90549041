import type { RawBuilder } from "kysely";

/** A function of the database. A later version with other parameters or another result needs another name. */
export interface DatabaseFunction {
  readonly name: string;
  /** The types of the parameters, which are `$1`, `$2` and so on in the body. */
  readonly takes: ReadonlyArray<string>;
  readonly answers: string;
  /** Further settings of the server while the function runs. */
  readonly settings?: ReadonlyArray<string>;
  /** The volatility; a `stable` function only reads, and all its statements see one snapshot. */
  readonly volatility: "stable" | "volatile";
  /** The body in PL/pgSQL. */
  readonly body: RawBuilder<unknown>;
}
