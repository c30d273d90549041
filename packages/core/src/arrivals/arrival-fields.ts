import { CANDIDATE_FIELDS } from "../bounces/neighbours.ts";
import { AUTOMATIC_FIELDS } from "../mail/neighbours.ts";

/** The header fields of an arrival that are fetched together with its envelope. */
export const ARRIVAL_FIELDS: ReadonlyArray<string> = [...new Set([...CANDIDATE_FIELDS, ...AUTOMATIC_FIELDS])];
