import { CANDIDATE_FIELDS } from "../bounces/index.ts";
import { AUTOMATIC_FIELDS } from "../mail/index.ts";

/** The header fields that are fetched of an arrival, in the same FETCH as its envelope. */
export const ARRIVAL_FIELDS: ReadonlyArray<string> = [...new Set([...CANDIDATE_FIELDS, ...AUTOMATIC_FIELDS])];
