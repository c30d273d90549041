import { layer as CreationRecords } from "./CreationRecords.ts";

/** The stores of `creations`. */
export const layer = CreationRecords;
