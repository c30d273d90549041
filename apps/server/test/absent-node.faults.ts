import { setTimeout as sleep } from "node:timers/promises";
import { openConversation, describeWithDovecot, describeWithPostgres, Dovecot, Postgres } from "@postern/testkit";
import { Effect, Layer, ManagedRuntime } from "effect";
import { afterAll, expect, it } from "vitest";
import { mailReceiver } from "./mail-receiver.ts";
import { post, started } from "./server-process.ts";
import { stallingProxy } from "./stalling-proxy.ts";
import { addEndpoint, sharedDatabase } from "./webhook-nodes.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 20);
const ACCOUNTS = 6;
const EVERY_MILLIS = 400;
const AWAY_MILLIS = 15_000;
const LONGEST_MILLIS = 10_000;
const PASSWORD = "pass";

/** The statements at which a node fails while it has rows locked that other nodes need. */
const MOMENTS = [/event_count/, /insert into "event"/, /insert into "delivery"/, /account_watch/];

describeWithDovecot("a node that does not respond", () => {
  describeWithPostgres("on a shared Postgres", () => {
    const runtime = ManagedRuntime.make(Layer.merge(Dovecot.layer(), Postgres.own));
    afterAll(() => runtime.dispose());

    it(`paused, cut off or killed in a transaction, ${ROUNDS} times, delays no event by more than 10 s and loses none`, async () => {
      const dovecot = await runtime.runPromise(Dovecot);
      const database = await runtime.runPromise(Effect.flatMap(Postgres, ({ newDatabase }) => newDatabase));
      const { environment } = await sharedDatabase(database, {
        IMAP_URL: `imap://127.0.0.1:${dovecot.port}`,
        SMTP_URL: "smtp://127.0.0.1:9",
        LOG_LEVEL: "warn",
      });
      const node = async () => {
        const proxy = await stallingProxy(database);
        return { proxy, ...(await started({ ...environment, DATABASE_URL: proxy.url })) };
      };
      const nodes = [await node(), await node()];
      const hook = await mailReceiver();
      const users = Array.from({ length: ACCOUNTS }, (_, n) => `u${n}@x.test`);
      for (const user of users) {
        await Effect.runPromise(dovecot.setPassword(user, PASSWORD));
        const login = await post(nodes[0]!.base, "/api/auth/mobile-login", { email: user, password: PASSWORD });
        const { token } = (await login.json()) as { readonly token: string };
        await addEndpoint(nodes[0]!.base, token, { url: `${hook.url}/${user}`, events: ["email.received"] });
      }

      const sent = new Map<string, number>();
      let arriving = true;
      const arrivals = Promise.all(
        users.map(async (user) => {
          const session = await openConversation("127.0.0.1", dovecot.port, user, PASSWORD);
          for (let n = 0; arriving; n++) {
            const subject = `${user}-${n}`;
            await session.command("APPEND INBOX", Buffer.from(`Subject: ${subject}\r\n\r\nText.\r\n`));
            sent.set(subject, performance.now());
            await sleep(EVERY_MILLIS);
          }
          session.close();
        }),
      );
      /** Returns the time from each arrival to its first webhook; Infinity if there was none. */
      const delays = () => {
        const first = new Map<string, number>();
        for (const { data, at } of hook.got) if (!first.has(data.subject)) first.set(data.subject, at);
        return new Map([...sent].map(([subject, at]) => [subject, (first.get(subject) ?? Infinity) - at]));
      };

      await sleep(8_000);
      const worst: Array<readonly [string, number]> = [];
      for (let round = 0; round < ROUNDS; round++) {
        const victim = nodes[round % 2]!;
        const how = (["pause", "cut", "kill"] as const)[round % 3]!;
        const began = performance.now();
        const struck = victim.proxy.strikeAt(MOMENTS[round % MOMENTS.length]!, () => {
          if (how === "cut") victim.proxy.swallow();
          else victim.child.kill(how === "pause" ? "SIGSTOP" : "SIGKILL");
        });
        await struck;
        await sleep(AWAY_MILLIS);
        if (how === "cut") victim.proxy.heal();
        if (how === "pause") victim.child.kill("SIGCONT");
        if (how === "kill") {
          victim.proxy.close();
          nodes[round % 2] = await node();
        }
        const late = [...delays()].flatMap(([subject, delay]) =>
          sent.get(subject)! >= began - LONGEST_MILLIS && sent.get(subject)! < performance.now() - LONGEST_MILLIS
            ? [delay]
            : [],
        );
        worst.push([how, Math.round(Math.max(...late))]);
        // Waits until both nodes watch their share of the accounts again.
        await sleep(6_000);
      }
      arriving = false;
      await arrivals;
      await expect
        .poll(() => [...delays().values()].filter((delay) => delay === Infinity).length, {
          timeout: 60_000,
          interval: 200,
        })
        .toBe(0);
      console.log(`${sent.size} mails; slowest of each round, ms: ${JSON.stringify(worst)}`);
      const slow = [...delays()].filter(([, delay]) => delay > LONGEST_MILLIS);
      expect(slow).toEqual([]);
      const ids = new Map<string, Set<string>>();
      for (const { data, id } of hook.got) ids.set(data.subject, (ids.get(data.subject) ?? new Set()).add(id));
      expect([...ids].filter(([, all]) => all.size > 1).map(([subject]) => subject)).toEqual([]);
      for (const { child, proxy } of nodes) {
        expect(child.exitCode).toBeNull();
        proxy.close();
      }
      hook.close();
    });
  });
});
