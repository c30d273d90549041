import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AccountId, RETRY_LADDER, Transaction } from "@postern/core/shared";
import { EventPublisher, writeEvent } from "@postern/core/events";
import {
  DeliveryQueue,
  Endpoints,
  initialSecrets,
  newEndpoint,
  ownedBy,
  EndpointNotices,
  WebhookDispatcher,
  WebhookSettings,
  WebhookSettlement,
  WebhookSubscriber,
} from "@postern/core/webhooks";
import { MAIL_RETRIES, SendSettings } from "@postern/core/send";
import { layer as nodeCrypto, SecretBox } from "@postern/node-crypto";
import { DataDir, type Persistence, postgres, RecordCipher, sqlite } from "@postern/sql";
import { layer as egress } from "@postern/egress";
import { layer as webhookHttp } from "@postern/webhook-http";
import { Clock, Effect, Layer, Logger, Redacted } from "effect";
import { copyDelivered } from "../load/delivered-history.ts";
import { cpuMillis } from "../figures/process-figures.ts";

/** A process that delivers events to endpoints like the service. */
export interface WebhookJob {
  /** URL of a Postgres; the embedded database on disk by default. */
  readonly databaseUrl?: string;
  readonly sinkPort: number;
  readonly endpoints: number;
  /**
   * Number of deliveries pending when the workers start; with `pause`, the number of events published one after
   * another.
   */
  readonly events: number;
  /** Number of earlier deliveries that are still in the store; none by default. */
  readonly history?: number;
  /** Milliseconds between events. */
  readonly pause?: number;
}

export interface WebhookAnswer {
  readonly millis: number;
  readonly cpuMillis: number;
  /** The time at which the transaction of each event ended, by event id, in epoch milliseconds. */
  readonly committed: Readonly<Record<string, number>>;
}

const CIPHER = Layer.effect(RecordCipher, SecretBox).pipe(
  Layer.provide(SecretBox.layer({ keys: [{ kid: "bench", key: new Uint8Array(32) }] })),
);

const SETTINGS = Layer.mergeAll(
  Layer.succeed(WebhookSettings, { ladder: RETRY_LADDER, baseUrl: "http://127.0.0.1" }),
  Layer.succeed(SendSettings, {
    retries: MAIL_RETRIES,
    rates: { perMinute: 1, perDay: 1 },
    policy: { blockedAddresses: new Set<string>(), blockedDomains: new Set<string>() },
    aliases: "verified",
    noticesFrom: null,
    baseUrl: "http://127.0.0.1",
  }),
);

const Workers = WebhookDispatcher.layer.pipe(
  Layer.provide(WebhookSettlement.layer),
  Layer.provide(EndpointNotices.layer),
  Layer.provideMerge(Layer.provide(EventPublisher.layer, WebhookSubscriber)),
);

/** The number of deliveries of a history that are created; the others are copies of them. */
const TEMPLATE_DELIVERIES = 2_000;

/** The number of events per transaction. */
const AT_ONCE = 200;

const stamp = () => performance.timeOrigin + performance.now();

const run = Effect.fnUntraced(function* ({ sinkPort, endpoints: count, events, history, pause }: WebhookJob) {
  const endpoints = yield* Endpoints;
  const publisher = yield* EventPublisher;
  const dispatcher = yield* WebhookDispatcher;
  const transaction = yield* Transaction;
  const queue = yield* DeliveryQueue;
  const now = yield* Clock.currentTimeMillis;
  const accounts = Array.from({ length: count }, (_, n) => AccountId(`account-${now}-${n}@bench.test`));
  const mark = `${now}`;
  for (const [n, account] of accounts.entries()) {
    const settings = { url: `http://127.0.0.1:${sinkPort}/${n}`, events: ["email.received"] } as const;
    yield* endpoints.insert(
      newEndpoint(`whe_${mark}_${n}`, ownedBy(account), settings, now),
      initialSecrets(Redacted.make(`whsec_${Buffer.alloc(24, n + 1).toString("base64")}`)),
    );
  }
  const raise = (from: number, to: number) =>
    transaction.run(
      publisher.publish(
        Array.from({ length: to - from }, (_, at) => {
          const n = from + at;
          const data = { uid: n, from: "someone@elsewhere.test", subject: `Figures ${n}`, folder: "INBOX" };
          return writeEvent(`evt_${mark}_${n}`, { id: "acc_1", email: accounts[n % count]! }, "email.received", now, {
            ...PADDING,
            ...data,
          });
        }),
      ),
    );
  const committed: Record<string, number> = {};
  const raiseAll = Effect.fnUntraced(function* (from: number, to: number) {
    for (let n = from; n < to; n += AT_ONCE) yield* raise(n, Math.min(n + AT_ONCE, to));
  });
  const allClaimed = Effect.gen(function* () {
    while ((yield* queue.countBacklog(yield* Clock.currentTimeMillis)) > 0) yield* Effect.sleep(200);
  });
  if (history !== undefined) {
    yield* raiseAll(events, events + TEMPLATE_DELIVERIES);
    yield* Effect.raceFirst(dispatcher.run, Effect.andThen(allClaimed, Effect.sleep("2 seconds")));
    yield* copyDelivered(history);
  }
  if (pause === undefined) {
    yield* raiseAll(0, events);
    const [began, before] = [stamp(), cpuMillis(process.pid)];
    yield* Effect.raceFirst(dispatcher.run, allClaimed);
    yield* dispatcher.drain("10 seconds");
    return { millis: stamp() - began, cpuMillis: cpuMillis(process.pid) - before, committed };
  }
  yield* Effect.forkChild(dispatcher.run);
  const [began, before] = [stamp(), cpuMillis(process.pid)];
  for (let n = 0; n < events; n++) {
    yield* Effect.sleep(pause);
    yield* raise(n, n + 1);
    committed[`evt_${mark}_${n}`] = stamp();
  }
  yield* Effect.sleep(500);
  return { millis: stamp() - began, cpuMillis: cpuMillis(process.pid) - before, committed };
});

/** Data of the size of a typical message. */
const PADDING = {
  id: "msg_0123456789abcdef0123456789abcdef",
  messageId: "<0123456789abcdef@elsewhere.test>",
  fromName: "Someone Else",
  to: ["account@bench.test"],
  toCount: 1,
  date: "2026-01-02T03:04:05.678Z",
  size: 12_345,
  hasAttachments: false,
};

const answer = async (job: WebhookJob): Promise<WebhookAnswer> => {
  const dataDir = mkdtempSync(join(tmpdir(), "bench-webhooks-"));
  const { databaseUrl } = job;
  const stores: Layer.Layer<Persistence, unknown, RecordCipher> =
    databaseUrl === undefined
      ? Layer.unwrap(Effect.map(DataDir.hold(dataDir), (folder) => sqlite({ folder })))
      : postgres({ url: Redacted.make(databaseUrl), statementTimeout: "10 minutes" });
  const adapters = Layer.mergeAll(
    SETTINGS,
    nodeCrypto({ idKey: new Uint8Array(32) }),
    Layer.provide(webhookHttp({ allowHttp: true }), egress({ allowedNetworks: ["127.0.0.0/8"] })),
    Layer.provide(stores, CIPHER),
  );
  try {
    return await Effect.runPromise(
      run(job).pipe(
        Effect.scoped,
        Effect.provide(Layer.merge(Layer.provideMerge(Workers, adapters), Logger.layer([]))),
      ),
    );
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};

process.on("message", (job: WebhookJob) => void answer(job).then((found) => process.send?.(found)));
process.on("disconnect", () => process.exit());
