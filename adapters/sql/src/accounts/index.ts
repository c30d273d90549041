/** The stores of `accounts`. */
export { layer } from "./AccountDirectory.ts";
