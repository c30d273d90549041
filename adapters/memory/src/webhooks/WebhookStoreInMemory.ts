import type { Attempt, Delivery, Endpoint, SigningSecrets } from "@postern/core/webhooks";
import { Context, Effect, HashMap, Layer, Queue } from "effect";
import { Memory, type Cell } from "../Memory.ts";

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

/** The rows shared by endpoints and deliveries, and a signal that they changed, kept until it is taken. */
export class WebhookStoreInMemory extends Context.Service<
  WebhookStoreInMemory,
  { readonly rows: Cell<WebhookRows>; readonly changes: Queue.Queue<void> }
>()("@postern/memory/webhooks/WebhookStoreInMemory") {
  static readonly layer = Layer.effect(
    WebhookStoreInMemory,
    Effect.gen(function* () {
      const { cell } = yield* Memory;
      return { rows: yield* cell(NOTHING), changes: yield* Queue.sliding<void>(1) };
    }),
  );
}
