import { setTimeout as sleep } from "node:timers/promises";
import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Effect, ManagedRuntime } from "effect";
import { afterAll, expect, it } from "vitest";
import { commitProxy } from "./commit-proxy.ts";
import { signIn, started } from "./server-process.ts";
import { addEndpoint, disableEndpoint, sharedDatabase } from "./webhook-nodes.ts";
import { SILENCE, webhookReceiver } from "./webhook-receiver.ts";

const MINUTE = { timeout: 60_000, interval: 200 };

describeWithPostgres(
  "webhooks of processes that are killed, paused or lose their database",
  () => {
    const runtime = ManagedRuntime.make(Postgres.own);
    const onPostgres = <A>(use: (postgres: Postgres["Service"]) => Effect.Effect<A>) =>
      runtime.runPromise(Effect.flatMap(Postgres, use));
    const newDatabase = () => onPostgres(({ newDatabase }) => newDatabase);
    afterAll(() => runtime.dispose());

    it("a process paused past its lease is fenced off: another delivers, and the first one's outcome is dropped", async () => {
      const answers: Array<(status: number) => void> = [];
      const hook = await webhookReceiver(({ nth }) =>
        nth === 1 ? new Promise((resolve) => answers.push(resolve)) : 200,
      );
      const { environment, rows, count, makeDue } = await sharedDatabase(await newDatabase());
      const stopped = await started(environment);
      const { token } = await signIn(stopped.base);
      const id = await addEndpoint(stopped.base, token, { url: `${hook.url}/a` });
      await makeDue("%/a", 4);
      await expect.poll(() => answers.length, MINUTE).toBe(4);
      stopped.child.kill("SIGSTOP");
      const other = await started(environment);
      await expect.poll(() => count("state = 'succeeded'"), MINUTE).toBe(4);
      const endpointNow = () => rows(`select * from endpoint where id = '${id}'`);
      const before = [await endpointNow(), await rows("select * from delivery order by id")];

      for (const answer of answers) answer(500);
      stopped.child.kill("SIGCONT");
      other.child.kill("SIGKILL");
      await other.ended;
      await expect.poll(() => hook.underWay("/a"), MINUTE).toBe(0);
      await sleep(1_000);
      expect([await endpointNow(), await rows("select * from delivery order by id")]).toEqual(before);
      expect(await rows("select n, status from attempt")).toEqual(
        Array.from({ length: 4 }, () => ({ n: 1, status: 200 })),
      );
      expect(hook.posts).toHaveLength(8);
      // The process continues with the next event.
      await makeDue("%/a", 1);
      await expect.poll(() => hook.posts.length, MINUTE).toBe(9);
    });

    it("if a process is killed at its COMMIT, another one delivers the committed event; without a commit there is no event", async () => {
      const hook = await webhookReceiver();
      const url = await newDatabase();
      const proxy = await commitProxy(url);
      const { environment, rows, count } = await sharedDatabase(url);
      const other = await started(environment);
      const { token } = await signIn(other.base);
      await addEndpoint(other.base, token, { url: `${hook.url}/told`, events: ["webhook.disabled"] });
      const subject = await addEndpoint(other.base, token, { url: `${hook.url}/subject` });
      const state = () => rows<{ readonly state: string }>(`select state from endpoint where id = '${subject}'`);

      for (const when of ["before", "after"] as const) {
        const victim = await started({ ...environment, DATABASE_URL: proxy.url });
        const struck = proxy.strikeAt(when, 'insert into "delivery"', () => victim.child.kill("SIGKILL"));
        const answer = await disableEndpoint(victim.base, token, subject).catch(() => undefined);
        expect(answer).toBeUndefined();
        await struck;
        await victim.ended;
        if (when === "before") {
          expect([await state(), await count("true")]).toEqual([[{ state: "enabled" }], 0]);
          continue;
        }
        // The other process was not notified; it checks every 5 seconds.
        await expect.poll(() => hook.posts.length, { timeout: 20_000, interval: 50 }).toBe(1);
        expect(await state()).toEqual([{ state: "disabled" }]);
      }
      await expect.poll(() => count("state = 'succeeded'"), MINUTE).toBe(1);
      expect(await count("true")).toBe(1);
    });

    it("a database that restarts in the middle loses no delivery and counts no attempt", async () => {
      const [each, endpoints] = [200, 5];
      const hook = await webhookReceiver(() => sleep(20, 200));
      const { environment, rows, count, makeDue } = await sharedDatabase(await newDatabase());
      const nodes = [await started(environment), await started(environment)];
      const { token } = await signIn(nodes[0]!.base);
      for (let n = 0; n < endpoints; n++) await addEndpoint(nodes[0]!.base, token, { url: `${hook.url}/${n}` });
      await makeDue("%", each);
      let restarts = 0;
      for (const part of [0.2, 0.6]) {
        await expect.poll(() => hook.events(), MINUTE).toBeGreaterThan(each * endpoints * part);
        await onPostgres(({ stop }) => stop("immediate"));
        await sleep(1_000);
        await onPostgres(({ start }) => start);
        restarts++;
      }
      await expect.poll(() => count("state <> 'succeeded'"), { timeout: 180_000, interval: 500 }).toBe(0);
      expect(hook.events()).toBe(each * endpoints);
      // Only deliveries in flight at a restart may arrive twice.
      expect(hook.posts.length - hook.events()).toBeLessThanOrEqual(restarts * endpoints * 4);
      expect(await rows("select distinct step from delivery")).toEqual([{ step: 0 }]);
      expect(await rows("select distinct status from attempt")).toEqual([{ status: 200 }]);
      for (const { child } of nodes) expect(child.exitCode).toBeNull();
    });

    it("a stopping process lets POSTs end, releases hanging ones without counting an attempt, and starts none", async () => {
      const slow = Promise.withResolvers<number>();
      const hook = await webhookReceiver(({ path }) => (path === "/slow" ? slow.promise : SILENCE));
      // A POST may take longer than the process to stop.
      const settings = { WEBHOOK_TIMEOUT: "5m" };
      const { environment, rows, count, makeDue } = await sharedDatabase(await newDatabase(), settings);
      const { base, child, ended } = await started(environment);
      const { token } = await signIn(base);
      for (const name of ["slow", "hung"]) await addEndpoint(base, token, { url: `${hook.url}/${name}` });
      await makeDue("%", 6);
      await expect.poll(() => [hook.underWay("/slow"), hook.underWay("/hung")], MINUTE).toEqual([4, 4]);
      child.kill("SIGTERM");
      await sleep(2_000);
      slow.resolve(200);
      expect(await ended).toBe(0);
      expect(hook.posts).toHaveLength(8);
      const kept = await rows(
        `select e.url, d.state, count(*)::int as n from delivery d join endpoint e on e.id = d.endpoint_id
         where d.lost_claims = 0 and d.step = 0 and d.lease_token is null group by 1, 2 order by 1, 2`,
      );
      expect(kept).toEqual([
        { url: `${hook.url}/hung`, state: "pending", n: 6 },
        { url: `${hook.url}/slow`, state: "pending", n: 2 },
        { url: `${hook.url}/slow`, state: "succeeded", n: 4 },
      ]);
      expect(await rows("select count(*)::int as n from attempt")).toEqual([{ n: 4 }]);
      expect(await count("true")).toBe(12);
    });
  },
  { own: true },
);
