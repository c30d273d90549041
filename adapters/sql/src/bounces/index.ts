import { Layer } from "effect";
import { layer as ParseJobs } from "./ParseJobs.ts";

/** The stores of `bounces`. */
export const layer = Layer.mergeAll(ParseJobs);
