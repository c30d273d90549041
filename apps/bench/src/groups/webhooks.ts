import { Postgres } from "@postern/testkit";
import { Effect } from "effect";
import type { WebhookAnswer, WebhookJob } from "../engines/webhooks.ts";
import { startFloor } from "../processes/floor-process.ts";
import type { UndiciAnswer, UndiciJob } from "../floors/undici.ts";
import type { WebhookSinkAnswer } from "../floors/webhook-sink.ts";
import type { Group } from "./group.ts";
import { measureAll } from "./measure.ts";
import { percentile, type Run } from "../figures/statistics.ts";

const [ON_SQLITE, ON_POSTGRES, LATENCY, HISTORY] = [
  "webhooks, SQLite",
  "webhooks, Postgres",
  "webhooks, from event to POST",
  "webhooks, 1,000,000 delivered before",
] as const;
/** Numbers of endpoints, in place of connections; each gets four concurrent POSTs. */
const LANES = 4;
const HISTORY_ENDPOINTS = 8;

/** Pending deliveries sent by the service, compared with a bare sender that signs as many bytes. */
export const webhooks: Group = {
  rows: [ON_SQLITE, ON_POSTGRES, LATENCY, HISTORY],
  inQuick: false,
  mail: "empty",
  run: (whole) =>
    Effect.gen(function* () {
      // Thousands of deliveries make a run long enough.
      const bench = { ...whole, plan: { ...whole.plan, repeats: 3 } };
      const { newDatabase } = yield* Postgres;
      // Each run uses a new database, as with the embedded one.
      const databases = yield* Effect.replicateEffect(
        newDatabase,
        bench.plan.connections.length * bench.plan.repeats + 3,
      );
      const onPostgres = () => ({ databaseUrl: databases.pop()! });
      return yield* Effect.promise(async () => {
        const sink = startFloor<object, WebhookSinkAnswer>("webhook-sink.ts");
        const { port: sinkPort } = await sink.run({});
        const undici = startFloor<UndiciJob, UndiciAnswer>("undici.ts");
        const ours = startFloor<WebhookJob, WebhookAnswer>("../engines/webhooks.ts");
        const events = bench.plan.quick ? 3_000 : 10_000;
        const drain = (stores: () => Pick<WebhookJob, "databaseUrl">) => async (endpoints: number) => {
          const answer = await ours.run({ ...stores(), sinkPort, endpoints, events });
          const arrived = new Set((await sink.run({})).arrivals.map(([id]) => id)).size;
          if (arrived !== events) throw new Error(`${arrived} of ${events} webhooks arrived`);
          return runOf(events, answer);
        };
        const bare = async (endpoints: number) => {
          const answer = await undici.run({ port: sinkPort, posts: 2 * events, lanes: LANES * endpoints });
          await sink.run({});
          return runOf(2 * events, answer);
        };
        const report = await measureAll(bench, [
          { name: ON_SQLITE, floor: "undici", ours: drain(() => ({})), beside: bare },
          { name: ON_POSTGRES, floor: "undici", ours: drain(onPostgres), beside: bare },
        ]);
        const text = [report.text];
        const lines = [...report.lines];
        if (bench.wants(LATENCY)) {
          for (const [store, stores] of [
            ["SQLite", {}],
            ["Postgres", onPostgres()],
          ] as const) {
            const { committed } = await ours.run({ ...stores, sinkPort, endpoints: 1, events: 200, pause: 20 });
            const waits = (await sink.run({})).arrivals.flatMap(([id, at]) =>
              committed[id] === undefined ? [] : [at - committed[id]],
            );
            const [p50, p99] = [percentile(waits, 0.5), percentile(waits, 0.99)];
            text.push(`from event to POST, ${store}: p50 ${p50.toFixed(1)} ms · p99 ${p99.toFixed(1)} ms`);
            lines.push({ operation: LATENCY, store, p50, p99, count: waits.length });
          }
        }
        if (bench.wants(HISTORY)) {
          for (const [store, stores] of [
            ["SQLite", () => ({})],
            ["Postgres", onPostgres],
          ] as const) {
            for (const history of [undefined, 1_000_000]) {
              const job = { ...stores(), sinkPort, endpoints: HISTORY_ENDPOINTS, events };
              const { perSecond, cpu } = runOf(
                events,
                await ours.run(history === undefined ? job : { ...job, history }),
              );
              await sink.run({});
              text.push(
                `${store}, ${history ?? 0} delivered before: ${perSecond.toFixed(0)}/s, ${cpu?.toFixed(2)} ms of CPU`,
              );
              bench.say(text.at(-1)!);
              lines.push({ operation: HISTORY, store, history: history ?? 0, perSecond, cpu });
            }
          }
        }
        sink.stop();
        undici.stop();
        ours.stop();
        return { text: text.join("\n"), lines };
      });
    }).pipe(Effect.provide(Postgres.durable)),
};

const runOf = (count: number, { millis, cpuMillis }: { readonly millis: number; readonly cpuMillis: number }): Run => ({
  perSecond: (count * 1000) / millis,
  p50: Number.NaN,
  p99: Number.NaN,
  cpu: cpuMillis / count,
});
