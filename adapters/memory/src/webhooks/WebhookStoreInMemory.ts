import type { Attempt, Delivery, Endpoint, SigningSecrets } from "@postern/core/webhooks";
import { Context, Effect, HashMap, Layer } from "effect";
import { Memory } from "../store/Memory.ts";
import type { Cell } from "../store/StoreClient.ts";

/** All webhook data. */
export interface WebhookRows {
  readonly endpoints: HashMap.HashMap<string, Endpoint>;
  readonly secrets: HashMap.HashMap<string, SigningSecrets>;
  readonly lastClaimedAt: HashMap.HashMap<string, number>;
  readonly deliveries: HashMap.HashMap<string, Delivery>;
  readonly attempts: HashMap.HashMap<string, ReadonlyArray<Attempt>>;
}

const NOTHING: WebhookRows = {
  endpoints: HashMap.empty(),
  secrets: HashMap.empty(),
  lastClaimedAt: HashMap.empty(),
  deliveries: HashMap.empty(),
  attempts: HashMap.empty(),
};

/** The rows shared by endpoints and deliveries, and the wake-up of the worker that sends the deliveries. */
export class WebhookStoreInMemory extends Context.Service<
  WebhookStoreInMemory,
  { readonly rows: Cell<WebhookRows>; readonly wake: Effect.Effect<void>; readonly changed: Effect.Effect<void> }
>()("@postern/memory/webhooks/WebhookStoreInMemory") {
  static readonly layer = Layer.effect(
    WebhookStoreInMemory,
    Effect.gen(function* () {
      const { cell, wake, listen } = yield* Memory;
      return {
        rows: yield* cell("webhooks", NOTHING),
        wake: wake("webhooks"),
        changed: yield* listen("webhooks"),
      };
    }),
  );
}
