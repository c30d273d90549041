import { Effect, Layer } from "effect";
import { AccountRemoval } from "./AccountRemoval.ts";
import { LiveEvents } from "./LiveEvents.ts";
import { SignIn } from "./SignIn.ts";

/** The use cases that span several domains. */
export const lifecycle = {
  layer: Layer.merge(SignIn.layer, LiveEvents.layer).pipe(Layer.provideMerge(AccountRemoval.layer)),
  sweeps: Effect.map(AccountRemoval, ({ resume }) => [resume]),
};
