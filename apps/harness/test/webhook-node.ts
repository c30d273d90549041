import { type AccountId, type RetryLadder, Transaction } from "@postern/core/shared";
import { EventLedger, EventPublisher, type MailEvent, writeEvent } from "@postern/core/events";
import { MAIL_RETRIES, OutgoingJournal, SendSettings } from "@postern/core/send";
import {
  DeliveryLog,
  DeliveryQueue,
  type DeliveryOutcome,
  type Endpoint,
  Endpoints,
  initialSecrets,
  newEndpoint,
  ownedBy,
  EndpointNotices,
  WebhookDispatcher,
  type WebhookPost,
  WebhookSender,
  WebhookSettings,
  WebhookSettlement,
  WebhookSubscriber,
} from "@postern/core/webhooks";
import type { HarnessStores } from "@postern/harness";
import { layer as nodeCrypto } from "@postern/node-crypto";
import { freshAccount } from "@postern/testkit";
import { Clock, Effect, Layer, Option, Redacted } from "effect";

/** A receiver's answer as the sender reports it. */
export const answered = (status: number): DeliveryOutcome => ({
  status,
  errorCode: null,
  ms: 1,
  excerpt: "",
  remoteIp: null,
  retryAfter: null,
});

/** Builds the webhook services of one process over these stores, with a scripted sender, on the clock of the test. */
export const webhookNode = Effect.fnUntraced(function* (
  stores: Layer.Layer<HarnessStores | Transaction, unknown>,
  send: (post: WebhookPost) => Effect.Effect<DeliveryOutcome> = () => Effect.succeed(answered(200)),
  ladder: RetryLadder = [],
  noticesFrom: string | null = null,
) {
  const ports = Layer.mergeAll(
    stores,
    nodeCrypto({ idKey: new Uint8Array(32) }),
    Layer.succeed(WebhookSettings, { ladder, baseUrl: "http://127.0.0.1" }),
    Layer.succeed(SendSettings, {
      retries: MAIL_RETRIES,
      rates: { perMinute: 1, perDay: 1 },
      policy: { blockedAddresses: new Set<string>(), blockedDomains: new Set<string>() },
      aliases: "verified",
      noticesFrom,
      baseUrl: "http://127.0.0.1",
    }),
    Layer.succeed(WebhookSender, { send }),
  );
  const engine = WebhookDispatcher.layer.pipe(
    Layer.provideMerge(WebhookSettlement.layer),
    Layer.provideMerge(Layer.merge(Layer.provide(EventPublisher.layer, WebhookSubscriber), EndpointNotices.layer)),
    Layer.provideMerge(ports),
  );
  return yield* Effect.gen(function* () {
    return {
      dispatcher: yield* WebhookDispatcher,
      settlement: yield* WebhookSettlement,
      publisher: yield* EventPublisher,
      endpoints: yield* Endpoints,
      queue: yield* DeliveryQueue,
      log: yield* DeliveryLog,
      ledger: yield* EventLedger,
      journal: yield* OutgoingJournal,
      transaction: yield* Transaction,
    };
  }).pipe(Effect.provideContext(yield* Layer.build(Layer.orDie(Layer.fresh(engine)))));
});

/** The services of `webhookNode`. */
export type WebhookNode = Effect.Success<ReturnType<typeof webhookNode>>;

/** An endpoint of an account. */
export type OwnedEndpoint = Effect.Success<ReturnType<typeof newEndpointOn>>;

/** Inserts an endpoint of a new account, with two event types; returns it with the account. */
export const newEndpointOn = Effect.fnUntraced(function* ({ endpoints }: WebhookNode, fields: Partial<Endpoint> = {}) {
  const account = yield* freshAccount;
  const settings = {
    url: "https://hooks.example.com/",
    events: ["email.deleted", "webhook.disabled"],
    maxInFlight: 10,
  } as const;
  const now = yield* Clock.currentTimeMillis;
  const id = `we_${globalThis.crypto.randomUUID()}`;
  const endpoint: Endpoint = { ...newEndpoint(id, ownedBy(account), settings, now), ...fields };
  yield* endpoints.insert(endpoint, initialSecrets(Redacted.make("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")));
  return { ...endpoint, account };
});

/** Returns an event of the current time. */
export const newEvent = (account: AccountId): Effect.Effect<MailEvent> =>
  Effect.map(Clock.currentTimeMillis, (now) =>
    writeEvent(`evt_${globalThis.crypto.randomUUID()}`, { id: "acc_1", email: account }, "email.deleted", now, {
      id: "m_1",
      uid: 1,
      folder: "INBOX",
    }),
  );

/** Returns the stored endpoint. */
export const endpointNow = ({ endpoints }: WebhookNode, { owner, id }: Endpoint) =>
  Effect.map(endpoints.find(owner, id), Option.getOrThrow);
