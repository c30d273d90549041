import { Layer } from "effect";
import { layer as DeliveryLog } from "./DeliveryLog.ts";
import { layer as DeliveryQueue } from "./DeliveryQueue.ts";
import { layer as Endpoints } from "./Endpoints.ts";
import { WebhookStoreInMemory } from "./WebhookStoreInMemory.ts";

/** The stores of `webhooks`. */
export const layer = Layer.mergeAll(DeliveryLog, DeliveryQueue, Endpoints).pipe(
  Layer.provide(WebhookStoreInMemory.layer),
);
