import { Layer } from "effect";
import { layer as FolderRecords } from "./FolderRecords.ts";
import { layer as FolderRemovals } from "./FolderRemovals.ts";

/** The stores of `folders`. */
export const layer = Layer.mergeAll(FolderRecords, FolderRemovals);
