import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Effect, ManagedRuntime } from "effect";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sharedKeys } from "./server-nodes.ts";
import { post, signIn, started } from "./server-process.ts";

const DELIVERIES = Number(process.env["DELIVERIES"] ?? 10_000);
const ENDPOINTS = 10;
/** Concurrent POSTs per endpoint: the most that a killed process can have in flight. */
const MAX_IN_FLIGHT = 4;
const PATIENCE_MILLIS = 10 * 60_000;

/** Counts the POSTs of each event, and the concurrent POSTs of each endpoint. */
const receiver = async () => {
  const got = new Map<string, number>();
  const underWay = new Map<string, number>();
  let maxAtOnce = 0;
  const server = createServer((request, response) => {
    const url = request.url ?? "";
    const id = String(request.headers["webhook-id"]);
    underWay.set(url, (underWay.get(url) ?? 0) + 1);
    maxAtOnce = Math.max(maxAtOnce, underWay.get(url)!);
    response.on("close", () => underWay.set(url, underWay.get(url)! - 1));
    request.resume().on("end", () => {
      got.set(id, (got.get(id) ?? 0) + 1);
      setTimeout(() => response.end(), 2);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, got, maxAtOnce: () => maxAtOnce, close: () => server.close() };
};

describeWithPostgres("webhooks of two processes on one Postgres, with kill -9", () => {
  const runtime = ManagedRuntime.make(Postgres.own);
  let keys: Record<string, string> = {};
  beforeAll(async () => {
    keys = await sharedKeys();
  });
  afterAll(() => runtime.dispose());

  it(`loses none of ${DELIVERIES}, and repeats only those that killed processes had in flight`, async () => {
    const url = await runtime.runPromise(Effect.flatMap(Postgres, ({ newDatabase }) => newDatabase));
    const environment = {
      ...keys,
      DATABASE_URL: url,
      LOG_LEVEL: "warn",
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
    };
    const hook = await receiver();
    const processes = [await started(environment), await started(environment)];
    const { token } = await signIn(processes[0]!.base);
    for (let n = 0; n < ENDPOINTS; n++) {
      const settings = { url: `${hook.url}/${n}`, events: ["email.deleted"], maxInFlight: MAX_IN_FLIGHT };
      expect((await post(processes[0]!.base, "/api/settings/webhooks", settings, token)).status).toBe(200);
    }

    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(
      `insert into event (id, account, type, occurred_at, body)
       select 'evt_' || n, 'demo@postern.test', 'email.deleted', extract(epoch from now()) * 1000, '{}'
       from generate_series(1, ${DELIVERIES}) n`,
    );
    await client.query(
      `insert into delivery (id, event_id, endpoint_id, trigger, occurred_at, generation, state, step, due_at, lost_claims)
       select 'del_' || lpad(n::text, 9, '0'), 'evt_' || n, e.id, 'event', 0, 1, 'pending', 0, 0, 0
       from generate_series(1, ${DELIVERIES}) n
       join (select id, row_number() over (order by id) - 1 as place from endpoint) e on e.place = n % ${ENDPOINTS}`,
    );

    let kills = 0;
    const began = performance.now();
    while (hook.got.size < DELIVERIES && performance.now() - began < PATIENCE_MILLIS) {
      await sleep(1_000 + Math.random() * 2_000);
      if (hook.got.size >= DELIVERIES * 0.8) continue;
      const victim = kills++ % 2;
      processes[victim]!.child.kill("SIGKILL");
      await processes[victim]!.ended;
      processes[victim] = await started(environment);
    }
    const open = async () =>
      Number((await client.query("select count(*) from delivery where state <> 'succeeded'")).rows[0].count);
    while ((await open()) > 0 && performance.now() - began < PATIENCE_MILLIS) await sleep(500);

    const doubled = [...hook.got.values()].reduce((sum, times) => sum + times - 1, 0);
    const { rows } = await client.query("select max(step) as step, max(lost_claims) as lost from delivery");
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log({ kills, doubled, maxAtOnce: hook.maxAtOnce(), seconds, ...rows[0] });
    await client.end();
    hook.close();
    expect(kills).toBeGreaterThan(0);
    expect(hook.got.size).toBe(DELIVERIES);
    expect(Number(rows[0].step)).toBe(0);
    expect(doubled).toBeLessThanOrEqual(kills * ENDPOINTS * MAX_IN_FLIGHT);
    // A POST of a killed process may still arrive after another process has claimed the delivery.
    expect(hook.maxAtOnce()).toBeLessThanOrEqual(2 * MAX_IN_FLIGHT);
  });
});
