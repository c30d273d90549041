import { it } from "@effect/vitest";
import { EventPublisher, type EventType, writeEvent } from "@postern/core/events";
import { AccountId, RETRY_LADDER, Transaction } from "@postern/core/shared";
import {
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
import {
  EntropyInMemory,
  OpaqueIdsInMemory,
  type ReceiverReply,
  ReceiversInMemory,
  type StoresInMemory,
  webhookSenderInMemory,
} from "@postern/memory";
import { HmacByNode } from "@postern/node-crypto";
import { Database } from "@postern/sql";
import { Effect, Layer, Redacted, References } from "effect";
import { describe, expect } from "vitest";

type Stores = Layer.Success<typeof StoresInMemory> | Database;

const PROMPT: ReceiverReply = { status: 200 };
const SLOW: ReceiverReply = { status: 200, afterMillis: 3_000 };
const WAITING = 500;
const NEIGHBOURS = 5;
const ROUNDS = 20;

/** Makes the rows of an endpoint unreadable: its events, and the secrets that sign its deliveries. */
const breakRows = Effect.fnUntraced(function* (id: string) {
  const { query } = yield* Database;
  yield* query((db) => db.updateTable("endpoint").set({ events: "damaged" }).where("id", "=", id).execute());
  yield* query((db) =>
    db.updateTable("endpoint_secret").set({ sealed: "damaged" }).where("endpoint_id", "=", id).execute(),
  );
});

const GUILTY = [
  ["slow", { ordered: false, reply: SLOW, broken: false }],
  ["slow and ordered", { ordered: true, reply: SLOW, broken: false }],
  ["failing", { ordered: false, reply: { status: 500 }, broken: false }],
  ["with broken rows", { ordered: false, reply: PROMPT, broken: true }],
  ["with broken rows and ordered", { ordered: true, reply: PROMPT, broken: true }],
] as const;

/** Declares the tests that one endpoint delays no other, in real time on a database with these stores. */
export const neighboursSuite = (name: string, stores: Layer.Layer<Stores, unknown>) =>
  describe(`deliveries on ${name}`, () => {
    const engine = WebhookDispatcher.layer.pipe(
      Layer.provide(WebhookSettlement.layer),
      Layer.provideMerge(Layer.provide(EventPublisher.layer, WebhookSubscriber)),
      Layer.provide([
        EntropyInMemory,
        OpaqueIdsInMemory,
        HmacByNode,
        Layer.succeed(WebhookSettings, { ladder: RETRY_LADDER, baseUrl: "http://127.0.0.1" }),
        Layer.succeed(EndpointNotices, { notifyDisabled: () => Effect.void }),
        webhookSenderInMemory(),
      ]),
      Layer.provideMerge(ReceiversInMemory.layer),
      Layer.provideMerge(Layer.orDie(stores)),
    );

    it.live.each(GUILTY)("are delayed less than 5 s by an endpoint that is %s", ([, { ordered, reply, broken }]) =>
      Effect.gen(function* () {
        const [endpoints, receivers] = [yield* Endpoints, yield* ReceiversInMemory];
        const [publisher, transaction] = [yield* EventPublisher, yield* Transaction];
        const publishedAt = new Map<string, number>();
        const delays: Array<number> = [];
        let others = 0;

        const add = Effect.fnUntraced(function* (host: string, isOrdered: boolean) {
          const account = AccountId(`${host}@x.test`);
          const events: ReadonlyArray<EventType> = ["email.deleted"];
          const url = `https://${host}.example.com/`;
          const settings = { url, events, ordered: isOrdered, disablePolicy: "no_success" as const };
          const endpoint = newEndpoint(`we_${host}`, ownedBy(account), settings, Date.now());
          yield* endpoints.insert(endpoint, initialSecrets(Redacted.make("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD")));
          return { account, url };
        });
        const publish = (account: AccountId, many: number) =>
          Effect.suspend(() => {
            const events = Array.from({ length: many }, () => {
              const id = `evt_${publishedAt.size}`;
              publishedAt.set(id, performance.now());
              const of = { id: `acc_${account}`, email: account };
              return writeEvent(id, of, "email.deleted", Date.now(), { id: "m", uid: 1, folder: "INBOX" });
            });
            return transaction.run(publisher.publish(events));
          });

        const guilty = yield* add("guilty", ordered);
        receivers.set(guilty.url, { reply: () => reply });
        yield* publish(guilty.account, WAITING);
        if (broken) yield* breakRows("we_guilty");
        const neighbours = yield* Effect.forEach(Array.from({ length: NEIGHBOURS }), (_, n) =>
          add(`other${n}`, n === 0),
        );
        for (const { url } of neighbours) {
          const take = (headers: Readonly<Record<string, string>>) =>
            delays.push(performance.now() - publishedAt.get(headers["webhook-id"] ?? "")!);
          receivers.set(url, {
            reply: ({ headers }) => {
              take(headers);
              return PROMPT;
            },
          });
        }
        yield* Effect.forkScoped((yield* WebhookDispatcher).run);
        for (let round = 0; round < ROUNDS; round++) {
          for (const { account } of neighbours) yield* publish(account, 1);
          others += neighbours.length;
          yield* Effect.sleep("50 millis");
        }
        for (const end = performance.now() + 6_000; delays.length < others && performance.now() < end;)
          yield* Effect.sleep("50 millis");
        expect(delays).toHaveLength(others);
        expect(Math.max(...delays)).toBeLessThan(5_000);
      }).pipe(Effect.provide(engine), Effect.scoped, Effect.provideService(References.MinimumLogLevel, "None")),
    );
  });
