import { AccountId, RETRY_LADDER } from "@postern/core/shared";
import { EventPublisher, writeEvent } from "@postern/core/events";
import {
  DeliveryLog,
  DeliveryQueue,
  type Endpoint,
  Endpoints,
  initialSecrets,
  newEndpoint,
  ownedBy,
  EndpointNotices,
  WebhookDispatcher,
  type WebhookPost,
  WebhookSettings,
  WebhookSettlement,
  WebhookSubscriber,
} from "@postern/core/webhooks";
import {
  EntropyInMemory,
  OpaqueIdsInMemory,
  type ReceiverReply,
  ReceiversInMemory,
  StoresInMemory,
  webhookSenderInMemory,
} from "@postern/memory";
import { HmacByNode } from "@postern/node-crypto";
import { Clock, Effect, Layer, Option, Redacted } from "effect";

export const ACCOUNT = AccountId("demo@postern.test");
const URL = "https://hooks.example.com/";

/** Builds the webhook services in memory, with a scripted receiver, and records every POST and e-mail. */
export const webhookWorld = (
  reply: (nth: number) => ReceiverReply,
  fields: Partial<Endpoint> = {},
  queueOver: (queue: DeliveryQueue["Service"]) => DeliveryQueue["Service"] = (queue) => queue,
) =>
  Effect.gen(function* () {
    const notices: Array<Parameters<EndpointNotices["Service"]["notifyDisabled"]>[0]> = [];
    const posts: Array<WebhookPost & { readonly at: number }> = [];
    const stores = Layer.effect(DeliveryQueue, Effect.map(DeliveryQueue, queueOver)).pipe(
      Layer.provideMerge(StoresInMemory),
    );
    const ports = Layer.mergeAll(
      stores,
      EntropyInMemory,
      OpaqueIdsInMemory,
      HmacByNode,
      Layer.succeed(WebhookSettings, { ladder: RETRY_LADDER, baseUrl: "http://127.0.0.1" }),
      webhookSenderInMemory(),
      Layer.succeed(EndpointNotices, { notifyDisabled: (notice) => Effect.sync(() => void notices.push(notice)) }),
    ).pipe(Layer.provideMerge(ReceiversInMemory.layer));
    const engine = yield* Layer.build(
      WebhookDispatcher.layer.pipe(
        Layer.provideMerge(WebhookSettlement.layer),
        Layer.provideMerge(Layer.provide(EventPublisher.layer, WebhookSubscriber)),
        Layer.provideMerge(ports),
      ),
    );
    return yield* Effect.gen(function* () {
      const clock = yield* Clock.Clock;
      const receivers = yield* ReceiversInMemory;
      receivers.set(URL, {
        reply: (post) => {
          posts.push({ ...post, at: clock.currentTimeMillisUnsafe() });
          return reply(posts.length);
        },
      });
      const endpoints = yield* Endpoints;
      const queue = yield* DeliveryQueue;
      const log = yield* DeliveryLog;
      const dispatcher = yield* WebhookDispatcher;
      const settlement = yield* WebhookSettlement;
      const publisher = yield* EventPublisher;
      const start = yield* Clock.currentTimeMillis;
      const choices = { url: URL, events: ["email.deleted"] as const };
      const endpoint = { ...newEndpoint("we_1", ownedBy(ACCOUNT), choices, start), ...fields };
      yield* endpoints.insert(endpoint, initialSecrets(Redacted.make("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")));
      let events = 0;
      const publish = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis;
        const event = writeEvent(`evt_${++events}`, { id: "acc_1", email: ACCOUNT }, "email.deleted", now, {
          id: "m_ä",
          uid: 1,
          folder: "INBOX",
        });
        yield* publisher.publish([event]);
        return event;
      });
      const seconds = () => posts.map(({ at }) => (at - start) / 1000);
      const now = Effect.map(endpoints.find(ownedBy(ACCOUNT), "we_1"), Option.getOrThrow);
      return { publish, posts, notices, seconds, now, start, endpoints, queue, log, dispatcher, settlement };
    }).pipe(Effect.provideContext(engine));
  });
