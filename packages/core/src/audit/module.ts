import { Effect } from "effect";
import { inSlices } from "../shared/index.ts";
import { ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { Audit } from "./Audit.ts";

/** The domain of the audit of changes and sends. Its entries hold only the ids of accounts and outlive the accounts. */
export const audit = {
  layer: Audit.layer,
  sweeps: Effect.map(Audit, ({ forgetOld }) => [
    inSlices(Effect.map(forgetOld(ROWS_AT_ONCE), (forgotten) => forgotten === ROWS_AT_ONCE)),
  ]),
};
