import { Effect } from "effect";
import { inSlices } from "../shared/index.ts";
import { ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { Audit } from "./Audit.ts";

/** The domain of the audit of changes, sends and calls. Its entries hold only the ids of accounts and outlive the accounts. */
export const audit = {
  layer: Audit.layer,
  workers: Effect.map(Audit, ({ worker }) => [worker]),
  sweeps: Effect.map(Audit, ({ forgetOld }) => [inSlices(forgetOld(ROWS_AT_ONCE))]),
};
