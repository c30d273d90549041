import { Effect, Layer } from "effect";
import { AccountChanges } from "./AccountChanges.ts";
import { AccountCreation } from "./AccountCreation.ts";
import { AccountRemoval } from "./AccountRemoval.ts";
import { LiveEvents } from "./LiveEvents.ts";
import { SignIn } from "./SignIn.ts";

/** The use cases that span several domains. */
export const lifecycle = {
  layer: Layer.mergeAll(SignIn.layer, LiveEvents.layer, AccountCreation.layer, AccountChanges.layer).pipe(
    Layer.provideMerge(AccountRemoval.layer),
  ),
  sweeps: Effect.map(AccountRemoval, ({ resume }) => [resume]),
};
