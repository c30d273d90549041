import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describeWithDovecot, describeWithPostgres, describeWithPromtool, PROMTOOL, SCRIPTED } from "@postern/testkit";
import { Effect, Exit, Scope } from "effect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Ask, askWithKey, makeKey } from "./ask-with-key.ts";
import { openGate } from "./gate.ts";
import { DOMAIN, type OAuthSite, startOAuthSite } from "./oauth-site.ts";
import { ADMIN_KEY } from "./requests/live-world.ts";
import { firingAlerts, RULES, type Scrape, scrape } from "./scraped-alerts.ts";
import { serverNodes } from "./server-nodes.ts";
import { post, signIn, started } from "./server-process.ts";
import { webhookReceiver } from "./webhook-receiver.ts";

/** How long a process caches the state of its mail servers, in milliseconds. */
const LOOKED_AFTER = 10_500;

/** Milliseconds between the two scrapes during an outage; the second scrape shows the growth of counters. */
const APART = 4_000;

describeWithPromtool("the alert rules", () => {
  it("are accepted by Prometheus", () => {
    expect(spawnSync(PROMTOOL, ["check", "rules", RULES]).status).toBe(0);
  });

  it("fire while the disk of the embedded database is full, and not before", async () => {
    const server = await started();
    const { token } = await signIn(server.base);
    const quiet = await scrape(server.base);
    spawnSync("prlimit", ["--pid", String(server.child.pid), "--fsize=8192:"]);
    const work = () => post(server.base, "/api/send", { to: "friend@postern.test", subject: "x", text: "x" }, token);
    await work();
    await expect.poll(async () => (await fetch(`${server.base}/health/ready`)).status).toBe(503);
    const first = await scrape(server.base);
    await sleep(APART);
    await work();
    const { before, after } = await firingAlerts(quiet, [first, await scrape(server.base)]);
    expect(before).toEqual([]);
    expect(after).toEqual(["PosternDatabaseDown", "PosternServerErrors"]);
  });

  describeWithDovecot("with real servers", () => {
    describeWithPostgres("over PostgreSQL", () => {
      let scope: Scope.Closeable;
      let site: OAuthSite;
      let base: string;
      let ask: Ask;
      let gates: Readonly<Record<"imap" | "smtp" | "database", Awaited<ReturnType<typeof openGate>>>>;

      beforeAll(async () => {
        scope = await Effect.runPromise(Scope.make());
        const run = <A>(effect: Effect.Effect<A, never, Scope.Scope>) =>
          Effect.runPromise(Effect.provideService(effect, Scope.Scope, scope));
        site = await run(startOAuthSite);
        const database = new URL(site.database);
        const [imap, smtp, behind] = await Promise.all(
          [site.dovecot.port, site.smtp.port, Number(database.port)].map((to) => openGate(to)),
        );
        gates = { imap: imap!, smtp: smtp!, database: behind! };
        database.port = String(behind!.port);
        const nodes = await run(
          serverNodes({
            ...site.environment,
            DATABASE_URL: database.href,
            IMAP_URL: `imap://127.0.0.1:${imap!.port}`,
            SMTP_URL: `smtp://127.0.0.1:${smtp!.port}`,
            WEBHOOK_RETRY_DELAYS: "1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s",
          }),
        );
        base = await nodes.start();
        ask = askWithKey(() => base, await makeKey(base, ADMIN_KEY, "crm"));
        site.providers.get("none")!.behave({ lifetime: 5, rotation: "none" });
        for (const name of ["one", "two"]) {
          const email = `${name}@${DOMAIN}`;
          const grant = { app: "none", refreshToken: site.providers.get("none")!.refreshToken(email) };
          expect((await ask("POST", "/api/accounts", { email, grant })).status).toBe(200);
        }
      }, 180_000);
      afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));

      const [ONE, TWO] = [`one@${DOMAIN}`, `two@${DOMAIN}`];
      const send = () => ask("POST", "/api/send", { to: "friend@other.test", subject: "x", text: "x" }, ONE);
      const read = () => Promise.all([ONE, TWO].map((account) => ask("GET", "/api/inbox", undefined, account)));

      const isDown = ({ values }: Scrape) =>
        [...values].some(([name, value]) => name.startsWith("postern_dependency_up") && value === 0);

      /** Returns the alerts that fire during an outage, and checks that none fires before it. */
      const firingIn = async (
        begin: () => unknown,
        work: () => Promise<unknown>,
        end: () => unknown,
        settled = 5_000,
      ) => {
        await expect.poll(async () => isDown(await scrape(base)), { timeout: 30_000 }).toBe(false);
        await read();
        await send();
        const quiet = await scrape(base);
        await begin();
        await work();
        await sleep(settled);
        await scrape(base);
        await sleep(1_000);
        await work();
        const first = await scrape(base);
        await sleep(APART);
        await work();
        const second = await scrape(base);
        await end();
        const { before, after } = await firingAlerts(quiet, [first, second]);
        expect(before).toEqual([]);
        return after;
      };

      it("fire while the SMTP server is down, and not before", async () => {
        const { close, open } = gates.smtp;
        expect(await firingIn(close, send, open, LOOKED_AFTER)).toEqual(["PosternMailServerDown", "PosternMailWaits"]);
      });
      it("fire while the IMAP server is down, and not before", async () => {
        const { close, open } = gates.imap;
        const alerts = ["PosternMailServerDown", "PosternMailServerFails", "PosternServerErrors"];
        expect(await firingIn(close, read, open, LOOKED_AFTER)).toEqual(alerts);
      });
      it("fire while the database is down, and not before", async () => {
        const { close, open } = gates.database;
        const alerts = ["PosternClaimsFail", "PosternDatabaseDown", "PosternServerErrors"];
        expect(await firingIn(close, read, open)).toEqual(alerts);
      });
      it("fire while a receiver of webhooks fails, and not before", async () => {
        let status = 200;
        const { url } = await webhookReceiver(() => status);
        const made = await ask("POST", "/api/settings/webhooks", { url, events: ["email.sent"] });
        const end = () => ask("DELETE", `/api/settings/webhooks/${made.body.data.id}`);
        const alerts = await firingIn(() => (status = 500), send, end);
        // The endpoint may or may not be disabled before the second scrape.
        expect(alerts.filter((name) => name !== "PosternEndpointsDisabled")).toEqual(["PosternReceiversFail"]);
      });
      it("fire while the provider of access tokens fails, and not before", async () => {
        const provider = site.providers.get("none")!;
        const fail = () => provider.behave({ lifetime: 5, rotation: "none", answers: { token: SCRIPTED.html } });
        const end = () => provider.behave({ rotation: "none" });
        expect(await firingIn(fail, read, end)).toEqual(["PosternAccountsUnreachable"]);
      });

      it("and the dashboard request metrics that the process has", async () => {
        const text = await (await fetch(`${base}/metrics`)).text();
        const names = new Set([...text.matchAll(/^(postern_\w+)/gm)].map(([, name]) => name!));
        for (const file of [RULES, "apps/server/deploy/grafana.json"]) {
          const asked = [...readFileSync(file, "utf8").matchAll(/\bpostern_\w+/g)].map(([name]) => name);
          expect(asked.length).toBeGreaterThan(10);
          expect(asked.filter((name) => !names.has(name))).toEqual([]);
        }
      });
    });
  });
});
