import { setTimeout as sleep } from "node:timers/promises";
import { describeWithDovecot, describeWithPostgres } from "@postern/testkit";
import { Effect, Exit, Scope } from "effect";
import { afterAll, expect, it } from "vitest";
import { askWithKey, makeKey } from "./ask-with-key.ts";
import { openGate } from "./gate.ts";
import { DOMAIN, startOAuthSite } from "./oauth-site.ts";
import { ADMIN_KEY } from "./requests/live-world.ts";
import { serverNodes } from "./server-nodes.ts";

/** No more than a page of the outbox. */
const ACCOUNTS = 200;
const OUTAGE_MILLIS = Number(process.env["OUTAGE_SECONDS"] ?? 180) * 1_000;
/** How long the waiting messages may take to be sent once the server is back, without a request. */
const WITHIN_MILLIS = 60_000;

describeWithDovecot(`an outage of ${OUTAGE_MILLIS / 1_000} seconds of the deployment's SMTP server`, () => {
  describeWithPostgres("over PostgreSQL", () => {
    const scope = Effect.runSync(Scope.make());
    afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)));

    it(`ends with the mail of ${ACCOUNTS} accounts being sent within a minute`, { timeout: 900_000 }, async () => {
      const run = <A>(effect: Effect.Effect<A, never, Scope.Scope>) =>
        Effect.runPromise(Effect.provideService(effect, Scope.Scope, scope));
      const site = await run(startOAuthSite);
      const smtp = await openGate(site.smtp.port);
      const nodes = await run(serverNodes({ ...site.environment, SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }));
      const base = await nodes.start();
      const ask = askWithKey(() => base, await makeKey(base, ADMIN_KEY, "crm"));
      const asOperator = askWithKey(() => base, ADMIN_KEY);
      const provider = site.providers.get("none")!;
      const emails = Array.from({ length: ACCOUNTS }, (_, n) => `u${n}@${DOMAIN}`);
      const each = (work: (email: string) => Promise<void>) =>
        Effect.runPromise(Effect.forEach(emails, (email) => Effect.promise(() => work(email)), { concurrency: 8 }));
      await each(async (email) => {
        const grant = { app: "none", refreshToken: provider.refreshToken(email) };
        expect((await ask("POST", "/api/accounts", { email, grant })).status).toBe(200);
      });

      smtp.close();
      const began = performance.now();
      await each(async (email) => {
        const mail = { to: "friend@other.test", subject: "waits", text: "x" };
        const { status, body } = await ask("POST", "/api/send", mail, email);
        expect([status, body.status]).toEqual([200, "queued"]);
      });
      const queued = performance.now() - began;
      expect(queued).toBeLessThan(OUTAGE_MILLIS);
      await sleep(OUTAGE_MILLIS - queued);
      await smtp.open();
      const recovered = performance.now();
      const sent = async () => {
        const { body } = await asOperator("GET", "/api/admin/outbox?state=sent&limit=200");
        return body.data.length as number;
      };
      while ((await sent()) < ACCOUNTS) {
        expect(performance.now() - recovered).toBeLessThan(WITHIN_MILLIS);
        await sleep(250);
      }
      const seconds = (performance.now() - recovered) / 1_000;
      console.log(
        `${ACCOUNTS} messages were queued in ${(queued / 1_000).toFixed(1)} s, and left within ${seconds.toFixed(1)} s`,
      );
    });
  });
});
