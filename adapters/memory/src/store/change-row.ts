import type { StoreUnavailable } from "@postern/core/shared";
import { Effect, HashMap, Option } from "effect";
import type { Cell } from "./StoreClient.ts";

/**
 * Changes a row as decided, or removes it if that is null; returns the other part of the decision, or none if there is no such row.
 * Locks the row first, also if nothing changes, as a database does that selects it for an update.
 */
export const changeRow = <Row, A>(
  rows: Cell<HashMap.HashMap<string, Row>>,
  id: string,
  decide: (row: Row) => readonly [A, Row | null],
): Effect.Effect<Option.Option<A>, StoreUnavailable> =>
  Effect.andThen(
    rows.lock([id]),
    rows.modify((all) => {
      const row = HashMap.get(all, id);
      if (Option.isNone(row)) return [Option.none(), all];
      const [answer, after] = decide(row.value);
      return [Option.some(answer), after === null ? HashMap.remove(all, id) : HashMap.set(all, id, after)];
    }),
  );
