import { PosternApi } from "@postern/api";
import type { EventType } from "@postern/core/events";
import { EVENT_TYPES } from "@postern/core/rules";
import { type EndpointView, WebhookDeliveries, WebhookEndpoints, WebhookTrial } from "@postern/core/webhooks";
import { Effect, Redacted, Schema } from "effect";
import { handlerGroup } from "./handler-group.ts";
import { answer } from "../problems/answer.ts";
import { deliveryRecord } from "../wire/delivery-record.ts";
import { creationKey } from "../wire/creation-key.ts";
import { currentOwner } from "../auth/current-owner.ts";
import { endpointRecord } from "../wire/endpoint-record.ts";
import { instantOf } from "../wire/instant-of.ts";
import { recordVersions } from "../wire/record-versions.ts";
import { precondition, setVersion } from "../problems/wanted-version.ts";

/** Handlers of the webhook operations (spec 7.6). */
export const WebhooksHandlers = handlerGroup(
  PosternApi,
  "webhooks",
  Effect.fn(function* (handlers) {
    const endpoints = yield* WebhookEndpoints;
    const deliveries = yield* WebhookDeliveries;
    const trial = yield* WebhookTrial;
    const versions = yield* recordVersions;
    const ok = <A>(data: A) => ({ ok: true as const, data });
    const recordOf = (view: EndpointView) => endpointRecord(view, versions.endpoint(view.endpoint));
    const oneOf = (view: EndpointView) => {
      const record = recordOf(view);
      return Effect.as(setVersion(record.version), ok(record));
    };

    return handlers.handleAll({
      create: Effect.fnUntraced(function* ({ payload, headers }) {
        const made = yield* answer(endpoints.create(yield* currentOwner, payload, yield* creationKey(headers)));
        const secret = made.secret === null ? null : Redacted.value(made.secret);
        const { ok: isOk, data } = yield* oneOf(made);
        return { ok: isOk, data: { ...data, secret, watchesPending: made.watchesPending } };
      }),
      list: ({ query }) =>
        currentOwner.pipe(
          Effect.flatMap((owner) => answer(endpoints.page(owner, query))),
          Effect.map(({ items, nextCursor }) => ({ ...ok(items.map(recordOf)), nextCursor })),
        ),
      eventTypes: ({ query }) =>
        Effect.map(answer(endpoints.eventTypes(query)), ({ items, nextCursor }) => ({
          ...ok(eventTypes().filter(({ event }) => items.includes(event))),
          nextCursor,
        })),
      get: ({ params: { id } }) =>
        currentOwner.pipe(
          Effect.flatMap((owner) => answer(endpoints.find(owner, id))),
          Effect.flatMap(oneOf),
        ),
      change: ({ params: { id }, payload, headers }) =>
        currentOwner.pipe(
          Effect.flatMap((owner) =>
            answer(endpoints.edit(owner, id, payload, precondition(headers, versions.endpoint))),
          ),
          Effect.flatMap(oneOf),
        ),
      remove: ({ params: { id }, headers }) =>
        currentOwner.pipe(
          Effect.flatMap((owner) => answer(endpoints.remove(owner, id, precondition(headers, versions.endpoint)))),
          Effect.as(ok({ id, deleted: true as const })),
        ),
      enable: ({ params: { id } }) =>
        currentOwner.pipe(
          Effect.flatMap((owner) => answer(endpoints.enable(owner, id))),
          Effect.flatMap(oneOf),
        ),
      disable: ({ params: { id } }) =>
        currentOwner.pipe(
          Effect.flatMap((owner) => answer(endpoints.disable(owner, id))),
          Effect.flatMap(oneOf),
        ),
      test: ({ params: { id }, payload }) =>
        currentOwner.pipe(
          Effect.flatMap((owner) => answer(trial.send(owner, id, payload?.event))),
          Effect.map(({ delivered, status, errorCode, ms, excerpt }) =>
            ok({ delivered, status, errorCode, ms, excerpt }),
          ),
        ),
      rotateSecret: ({ params: { id }, payload }) =>
        currentOwner.pipe(
          Effect.flatMap((owner) => answer(endpoints.rotateSecret(owner, id, payload?.overlap))),
          Effect.map(({ secret, activatesAt, secretHint }) =>
            ok({ secret: Redacted.value(secret), activatesAt: instantOf(activatesAt), secretHint }),
          ),
        ),
      deliveries: ({ params: { id }, query }) =>
        currentOwner.pipe(
          Effect.flatMap((owner) => answer(deliveries.page(owner, id, query))),
          Effect.map((page) => ({ ...ok(page.deliveries.map(deliveryRecord)), nextCursor: page.nextCursor })),
        ),
      resend: Effect.fnUntraced(function* ({ params: { id, deliveryId }, headers }) {
        const [owner, key] = [yield* currentOwner, yield* creationKey(headers)];
        return ok(deliveryRecord(yield* answer(deliveries.resend(owner, id, deliveryId, key))));
      }),
      replay: Effect.fnUntraced(function* ({ params: { id }, payload, headers }) {
        const [owner, key] = [yield* currentOwner, yield* creationKey(headers)];
        return ok(yield* answer(deliveries.replay(owner, id, payload, key)));
      }),
    });
  }),
);

const describeType = (event: EventType) => {
  const { meaning, data, sample } = EVENT_TYPES[event];
  const account = {
    id: "acc_hyexz0RipaUWL3hNPE5dCUrAcXHsPkbSkmCOwUo7GULsVVaoENwT54ZJTRAIC0P1",
    email: "demo@postern.test",
  };
  const head = { id: "evt_0mjwaid1kT54ZJTRAIC0P18guRUVOeg", event, timestamp: "2026-01-02T03:04:05.000Z", account };
  return { event, meaning, schema: Schema.toJsonSchemaDocument(data).schema, sample: { ...head, data: sample } };
};

let described: ReadonlyArray<ReturnType<typeof describeType>> | undefined;

/** Describes the event types at the first request, because building their schemas takes 3 % of the start-up time. */
const eventTypes = () => (described ??= (Object.keys(EVENT_TYPES) as ReadonlyArray<EventType>).map(describeType));
