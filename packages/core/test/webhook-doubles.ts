import { AccountId } from "../src/shared/index.ts";
import {
  type Delivery,
  type DeliveryOutcome,
  type Endpoint,
  newDelivery,
  newEndpoint,
  ownedBy,
} from "../src/webhooks/index.ts";

export const T0 = Date.UTC(2026, 0, 2, 3, 4, 5);

export const endpointWith = (fields: Partial<Endpoint> = {}): Endpoint => ({
  ...newEndpoint(
    "we_1",
    ownedBy(AccountId("demo@postern.test")),
    { url: "https://hooks.example.com/", events: ["email.received"] },
    T0,
  ),
  ...fields,
});

const ACCOUNT = AccountId("demo@postern.test");
const EVENT = { eventId: "evt_1", account: ACCOUNT, type: "email.received", occurredAt: T0, position: 1 } as const;

export const deliveryWith = (fields: Partial<Delivery> = {}): Delivery => ({
  ...newDelivery("d1", EVENT, { id: "we_1", generation: 1 }, "event", T0),
  ...fields,
});

const ANSWER: DeliveryOutcome = {
  status: 200,
  errorCode: null,
  ms: 20,
  excerpt: "",
  remoteIp: "192.0.2.1",
  retryAfter: null,
};

export const answered = (status: number, fields: Partial<DeliveryOutcome> = {}): DeliveryOutcome => ({
  ...ANSWER,
  status,
  ...fields,
});
