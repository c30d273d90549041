import { Clock, Effect, Layer } from "effect";
import { type AccountData, ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { ownedBy } from "./EndpointOwner.ts";
import { EndpointNotices } from "./EndpointNotices.ts";
import { Endpoints } from "./ports/Endpoints.ts";
import { setSuspended } from "./endpoint-state.ts";
import { applicationWatches, sweepWatches } from "./endpoint-watches.ts";
import { WebhookDeliveries } from "./WebhookDeliveries.ts";
import { WebhookDispatcher } from "./WebhookDispatcher.ts";
import { WebhookEndpoints } from "./WebhookEndpoints.ts";
import { WebhookSettlement } from "./WebhookSettlement.ts";
import { WebhookTrial } from "./WebhookTrial.ts";

const data = Effect.gen(function* () {
  const endpoints = yield* Endpoints;
  return {
    name: "webhooks",
    // The first slice removes the endpoints; later slices erase their deliveries.
    erase: (account) => endpoints.erase(account, ROWS_AT_ONCE),
    eraseSlice: endpoints.erase,
    needsCredential: (account) => Effect.map(endpoints.list(ownedBy(account)), (all) => all.length > 0),
    endApplication: (application) =>
      Effect.map(endpoints.removeApplication(application), (removed) => ({ endpoints: removed })),
    setSuspended: Effect.fnUntraced(function* (application, isSuspended) {
      const owner = { _tag: "Application", application, reach: null, notify: null } as const;
      const ids = (yield* endpoints.list(owner)).map(({ id }) => id);
      const now = yield* Clock.currentTimeMillis;
      if (ids.length > 0) yield* endpoints.change(ids, (one) => [undefined, setSuspended(one, isSuspended, now)]);
    }),
  } satisfies AccountData;
});

/** The domain of webhooks: endpoints, and the worker that sends deliveries to them. */
export const webhooks = {
  layer: Layer.mergeAll(WebhookEndpoints.layer, WebhookDeliveries.layer, WebhookTrial.layer).pipe(
    Layer.merge(WebhookDispatcher.layer),
    Layer.provide(WebhookSettlement.layer),
    Layer.provide(EndpointNotices.layer),
  ),
  data,
  sweeps: Effect.gen(function* () {
    return [(yield* WebhookEndpoints).sweep, sweepWatches(yield* applicationWatches)];
  }),
  workers: Effect.map(WebhookDispatcher, (worker) => [worker]),
};
