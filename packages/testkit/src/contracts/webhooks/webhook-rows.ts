import { assert } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { EventLedger, writeEvent } from "@postern/core/events";
import {
  type Delivery,
  DeliveryQueue,
  type Endpoint,
  type EndpointOwner,
  Endpoints,
  initialSecrets,
  newDelivery,
  newEndpoint,
  ownedBy,
} from "@postern/core/webhooks";
import { Effect, Option, Redacted } from "effect";

export const T0 = 1_900_000_000_000;
export const LEASE = 15_000;
export const OUTCOME = {
  status: 500,
  errorCode: null,
  ms: 20,
  excerpt: "no\n📮",
  remoteIp: "192.0.2.1",
  retryAfter: null,
};

let made = 0;
const nextId = (kind: string) => `${kind}_${String(++made).padStart(6, "0")}${globalThis.crypto.randomUUID()}`;

export const open = Effect.fnUntraced(function* (owner: AccountId | EndpointOwner, fields: Partial<Endpoint> = {}) {
  const settings = {
    url: "https://hooks.example.com/ä?b=c",
    description: "Größe 📮",
    events: ["email.received", "webhook.test"] as const,
  };
  const endpoint: Endpoint = {
    ...newEndpoint(nextId("we"), typeof owner === "string" ? ownedBy(owner) : owner, settings, T0),
    ...fields,
  };
  assert.isTrue(yield* (yield* Endpoints).insert(endpoint, initialSecrets(Redacted.make("whsec_AAAA"))));
  return endpoint;
});

/** Returns the account of an event for this endpoint. */
const accountOf = ({ id, owner }: Endpoint): AccountId =>
  owner._tag === "Account" ? owner.account : AccountId(`${id}@example.com`);

export const put = Effect.fnUntraced(function* (
  endpoint: Endpoint,
  fields: Partial<Delivery> = {},
  eventId = nextId("evt"),
) {
  const account = fields.account ?? accountOf(endpoint);
  const occurredAt = fields.occurredAt ?? T0;
  const event = writeEvent(eventId, { id: "acc_1", email: account }, "webhook.test", occurredAt, {
    endpointId: endpoint.id,
  });
  const ledger = yield* EventLedger;
  yield* ledger.append([event]);
  const position = Option.getOrThrow(yield* ledger.positionOf(event.account, eventId));
  const delivered = { eventId, account: event.account, type: event.type, occurredAt, position };
  const delivery: Delivery = {
    ...newDelivery(nextId("del"), delivered, endpoint, fields.trigger ?? "event", T0),
    ...fields,
  };
  yield* (yield* DeliveryQueue).insert([delivery]);
  return { event, delivery };
});

/** Claims all due deliveries of all tests, and returns the deliveries of these endpoints. */
export const claimOf = Effect.fnUntraced(function* (
  endpoints: ReadonlyArray<Endpoint>,
  now = T0,
  token = "token",
  limit = 1000,
) {
  const claimed = yield* (yield* DeliveryQueue).claim(now, { token, until: now + LEASE }, limit);
  return claimed.filter(({ endpoint }) => endpoints.some(({ id }) => id === endpoint.id));
});
export const ids = (claimed: ReadonlyArray<{ readonly delivery: Delivery }>) =>
  claimed.map(({ delivery }) => delivery.id);
