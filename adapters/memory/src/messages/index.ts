/** The stores of `messages`. */
export { layer } from "./MovedMessages.ts";
