import { Layer } from "effect";
import { layer as MovedMessages } from "./MovedMessages.ts";

/** The stores of `messages`. */
export const layer = Layer.mergeAll(MovedMessages);
