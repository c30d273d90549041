import { Layer } from "effect";
import { WebhookStoreInMemory } from "../webhooks/WebhookStoreInMemory.ts";
import { layer as EventLedger } from "./EventLedger.ts";

/** The stores of `events`. */
export const layer = Layer.provide(EventLedger, WebhookStoreInMemory.layer);
