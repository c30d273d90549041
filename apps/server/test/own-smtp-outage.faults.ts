import { setTimeout as sleep } from "node:timers/promises";
import { describeWithDovecot, describeWithPostgres, Postgres } from "@postern/testkit";
import { Context, Effect, Exit, Layer, Scope } from "effect";
import { afterAll, expect, it } from "vitest";
import { askWithKey, makeKey } from "./ask-with-key.ts";
import { mostWithin } from "./counted-port.ts";
import { openGate } from "./gate.ts";
import { PASSWORD, startMailSite } from "./mail-site.ts";
import { ADMIN_KEY } from "./requests/live-world.ts";
import { serverNodes, sharedKeys } from "./server-nodes.ts";

/** No more than a page of the outbox. */
const ACCOUNTS = 200;
const NODES = 2;
const OUTAGE_MILLIS = Number(process.env["OUTAGE_SECONDS"] ?? 180) * 1_000;
/** The default of `MAIL_HOST_CONNECTIONS`. */
const LIMIT = 50;
const WINDOW_MILLIS = 10_000;
/** The longest wait of the last message: for the probe, for its turn at the host, and because of a busy machine. */
const WITHIN_MILLIS = 30_000 + (ACCOUNTS / LIMIT - 1) * WINDOW_MILLIS + 10_000;

describeWithDovecot(`an outage of ${OUTAGE_MILLIS / 1_000} seconds of an SMTP server that accounts named`, () => {
  describeWithPostgres(`over PostgreSQL, with ${NODES} processes`, () => {
    const scope = Effect.runSync(Scope.make());
    const ends: Array<() => unknown> = [];
    afterAll(async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void));
      for (const end of ends) await end();
    });

    it(
      `ends with the mail of ${ACCOUNTS} accounts being sent at the limit of the host`,
      { timeout: 900_000 },
      async () => {
        const run = <A>(effect: Effect.Effect<A, never, Scope.Scope>) =>
          Effect.runPromise(Effect.provideService(effect, Scope.Scope, scope));
        const site = await startMailSite("127.0.0.1", {});
        // The SMTP server has a separate address, because copies in Sent count at the host of the IMAP server.
        const smtp = await openGate(site.smtp.port, "127.0.0.2");
        ends.push(smtp.close, site.stop);
        const postgres = await run(Effect.map(Layer.build(Postgres.own), (built) => Context.get(built, Postgres)));
        const nodes = await run(
          serverNodes({
            ...(await sharedKeys()),
            DATABASE_URL: await run(postgres.newDatabase),
            ACCOUNT_SERVERS: "any",
            ADMIN_KEY,
            MAIL_ALLOWED_NETWORKS: "127.0.0.0/8",
            MAIL_HOST_CONNECTIONS: `${LIMIT}/${WINDOW_MILLIS / 1_000}s`,
            LOG_LEVEL: "warn",
          }),
        );
        for (let n = 0; n < NODES; n++) await nodes.start();
        let turn = 0;
        const base = () => nodes.bases()[turn++ % NODES]!;
        const ask = askWithKey(base, await makeKey(base(), ADMIN_KEY, "crm"));
        const asOperator = askWithKey(base, ADMIN_KEY);
        const emails = Array.from({ length: ACCOUNTS }, (_, n) => `u${n}@own.test`);
        const each = (work: (email: string) => Promise<void>) =>
          Effect.runPromise(Effect.forEach(emails, (email) => Effect.promise(() => work(email)), { concurrency: 8 }));
        const servers = { imap: site.servers.imap, smtp: { host: "127.0.0.2", port: smtp.port, security: "starttls" } };
        await each(async (email) => {
          await site.addUser(email);
          for (;;) {
            const { status, headers, body } = await ask("POST", "/api/accounts", {
              email,
              password: PASSWORD,
              ...servers,
            });
            if (status === 200) return;
            expect([status, body.code], JSON.stringify(body)).toEqual([429, "too_many_requests"]);
            await sleep(Number(headers.get("retry-after")) * 1_000);
          }
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
        const since = () => `${((performance.now() - recovered) / 1_000).toFixed(1)} s`;
        const sent = async () => {
          const { body } = await asOperator("GET", "/api/admin/outbox?state=sent&limit=200");
          return body.data.length as number;
        };
        for (let [count, before] = [0, 0]; count < ACCOUNTS; before = count) {
          count = await sent();
          if (Math.floor(count / LIMIT) > Math.floor(before / LIMIT))
            console.log(`${count} messages sent after ${since()}`);
          expect(performance.now() - recovered, `${count} sent`).toBeLessThan(WITHIN_MILLIS);
          await sleep(250);
        }
        console.log(`${ACCOUNTS} messages were queued in ${(queued / 1_000).toFixed(1)} s, and left within ${since()}`);
        expect(site.sent().length).toBe(ACCOUNTS);
        expect(mostWithin([site.smtp], WINDOW_MILLIS / 2)).toBeLessThanOrEqual(LIMIT);
      },
    );
  });
});
