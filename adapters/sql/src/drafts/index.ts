import { layer as DraftRecords } from "./DraftRecords.ts";

/** The stores of `drafts`. */
export const layer = DraftRecords;
