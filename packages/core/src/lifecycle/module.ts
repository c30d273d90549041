import { Effect, Layer } from "effect";
import { AccountChanges } from "./AccountChanges.ts";
import { AccountConnection } from "./AccountConnection.ts";
import { AccountCreation } from "./AccountCreation.ts";
import { AccountExport } from "./AccountExport.ts";
import { AccountRemoval } from "./AccountRemoval.ts";
import { DeviceConnections } from "./DeviceConnections.ts";
import { LiveEvents } from "./LiveEvents.ts";
import { serverReview } from "./review-servers.ts";
import { SignIn } from "./SignIn.ts";
import { Unsubscription } from "./Unsubscription.ts";

/** The domain of use cases that span several domains. */
export const lifecycle = {
  layer: Layer.mergeAll(
    SignIn.layer,
    Layer.provideMerge(AccountExport.layer, LiveEvents.layer),
    Unsubscription.layer,
  ).pipe(
    Layer.provideMerge(DeviceConnections.layer),
    Layer.provideMerge(AccountConnection.layer),
    Layer.provideMerge(Layer.merge(AccountCreation.layer, AccountChanges.layer)),
    Layer.provideMerge(AccountRemoval.layer),
  ),
  workers: Effect.all([serverReview]),
  sweeps: Effect.map(AccountRemoval, ({ resume }) => [resume]),
};
