/** The stores of `bounces`. */
export { layer } from "./ParseJobs.ts";
