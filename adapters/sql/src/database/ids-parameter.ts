import { type RawBuilder, sql } from "kysely";
import type { TableOf } from "./Engine.ts";

/** Returns ids in a single parameter, so that the statement is the same for any number of ids. */
export const idsParameter = (tableOf: TableOf, ids: ReadonlyArray<string>): RawBuilder<string> =>
  sql<string>`(select id from ${tableOf(
    { id: "text" },
    ids.map((id) => ({ id })),
  )} given)`;
