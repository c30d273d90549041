/** The stores of `events`. */
export { layer } from "./EventLedger.ts";
