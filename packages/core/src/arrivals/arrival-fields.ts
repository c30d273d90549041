import { CANDIDATE_FIELDS } from "../bounces/neighbours.ts";
import { AUTOMATIC_FIELDS } from "../mail/neighbours.ts";

/** The header fields that are fetched of an arrival, in the same FETCH as its envelope. */
export const ARRIVAL_FIELDS: ReadonlyArray<string> = [...new Set([...CANDIDATE_FIELDS, ...AUTOMATIC_FIELDS])];
