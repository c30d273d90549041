import { Layer } from "effect";
import { layer as EventLedger } from "./EventLedger.ts";

/** The stores of `events`. */
export const layer = Layer.mergeAll(EventLedger);
