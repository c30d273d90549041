import { Layer } from "effect";
import { layer as ApprovalRecords } from "./ApprovalRecords.ts";
import { layer as DraftRecords } from "./DraftRecords.ts";

/** The stores of `drafts`. */
export const layer = Layer.mergeAll(ApprovalRecords, DraftRecords);
