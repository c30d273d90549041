import { Clock, Effect } from "effect";
import { type AccountData, ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { inSlices } from "../shared/index.ts";
import { Creations } from "./Creations.ts";
import { CreationRecords } from "./ports/CreationRecords.ts";

const data = Effect.map(CreationRecords, ({ erase }): AccountData => ({ name: "creations", erase }));

const sweep = Effect.map(Creations, ({ forgetOld }) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    inSlices(Effect.map(forgetOld(now, ROWS_AT_ONCE), (forgotten) => forgotten === ROWS_AT_ONCE)),
  ),
);

/** The domain of idempotency keys: a repeated request creates nothing twice. */
export const creations = {
  layer: Creations.layer,
  data,
  sweeps: Effect.map(sweep, (one) => [one]),
};
