import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  describeWithCyrus,
  describeWithDovecot,
  describeWithPostgres,
  Postgres,
  refuseCommands,
} from "@postern/testkit";
import { Context, Effect, Exit, Layer, Scope } from "effect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accountReceiver } from "./account-receiver.ts";
import { type Ask, type Asked, askWithKey, makeKey } from "./ask-with-key.ts";
import { mostWithin } from "./counted-port.ts";
import { keyJourney } from "./key-journey.ts";
import { type ImapKind, type MailSite, PASSWORD, startMailSite } from "./mail-site.ts";
import { ADMIN_KEY } from "./requests/live-world.ts";
import { serverNodes, sharedKeys } from "./server-nodes.ts";

const EACH = 75;
const NODES = 3;
const LIMIT = 50;
const WINDOW_MILLIS = 10_000;
/** Connections reach the server later than they were admitted, on a busy machine by some seconds. */
const SPAN_MILLIS = WINDOW_MILLIS / 2;
const TAKEOVER_MILLIS = 10_000;

const TYPES = ["account.added", "account.auth_failed", "email.received"];
const SITES: ReadonlyArray<readonly [string, ImapKind]> = [
  ["127.0.0.1", { tls: true }],
  ["127.0.0.2", { separator: ".", prefix: "INBOX." }],
  ["127.0.0.3", { rewritten: true }],
  ["127.0.0.4", "cyrus"],
];

interface Account {
  readonly site: MailSite;
  readonly email: string;
}

/** Runs a function for each item, some at a time. */
const forEach = <A, B>(items: ReadonlyArray<A>, atOnce: number, run: (item: A) => Promise<B>) =>
  Effect.runPromise(Effect.forEach(items, (item) => Effect.promise(() => run(item)), { concurrency: atOnce }));

/** Expects that no more connections to a host were opened than its limit admits. */
const expectLimited = ({ host, imap, smtp }: MailSite): void => {
  expect(mostWithin([imap, smtp], SPAN_MILLIS), host).toBeLessThanOrEqual(LIMIT);
  const moments = [...imap.openedAt, ...smtp.openedAt];
  const windows = Math.ceil((Math.max(...moments) - Math.min(...moments)) / WINDOW_MILLIS) + 1;
  expect(moments.length, host).toBeLessThanOrEqual(LIMIT * windows);
};

describeWithDovecot(`${EACH * SITES.length} accounts on four mail servers`, () => {
  describeWithCyrus("with a Cyrus", () => {
    describeWithPostgres(`on ${NODES} nodes and one Postgres`, () => {
      const folder = mkdtempSync(join(tmpdir(), "accounts-"));
      let scope: Scope.Closeable;
      let sites: ReadonlyArray<MailSite> = [];
      let accounts: ReadonlyArray<Account> = [];
      let nodes: Effect.Success<ReturnType<typeof serverNodes>>;
      let receiver: Awaited<ReturnType<typeof accountReceiver>>;
      let ask: Ask;

      beforeAll(async () => {
        scope = await Effect.runPromise(Scope.make());
        const run = <A>(effect: Effect.Effect<A, never, Scope.Scope>) =>
          Effect.runPromise(Effect.provideService(effect, Scope.Scope, scope));
        sites = await Promise.all(SITES.map(([host, kind]) => startMailSite(host, kind)));
        accounts = sites.flatMap((site, n) =>
          Array.from({ length: EACH }, (_, user) => ({ site, email: `u${user}@x${n}.test` })),
        );
        await forEach(accounts, 8, ({ site, email }) => site.addUser(email));
        receiver = await accountReceiver();
        const ca = join(folder, "ca.pem");
        writeFileSync(ca, sites[0]!.ca!);
        nodes = await run(
          serverNodes({
            ...(await sharedKeys()),
            DATABASE_URL: await run(
              Effect.flatMap(Layer.build(Postgres.own), (built) => Context.get(built, Postgres).newDatabase),
            ),
            ACCOUNT_SERVERS: "any",
            ADMIN_KEY,
            MAIL_ALLOWED_NETWORKS: "127.0.0.0/8",
            MAIL_HOST_CONNECTIONS: `${LIMIT}/${WINDOW_MILLIS / 1_000}s`,
            MAIL_TLS_CA_FILE: ca,
            WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
            LOG_LEVEL: "warn",
          }),
        );
        const bases = [await nodes.start(), await nodes.start(), await nodes.start()];
        let turn = 0;
        ask = askWithKey(
          () => nodes.bases()[turn++ % nodes.bases().length]!,
          await makeKey(bases[0]!, ADMIN_KEY, "crm"),
        );
        const endpoint = { url: receiver.url, events: TYPES, maxInFlight: 32 };
        expect((await ask("POST", "/api/settings/webhooks", endpoint)).status).toBe(200);
      });

      afterAll(async () => {
        await Effect.runPromise(Scope.close(scope, Exit.void));
        receiver.close();
        await Promise.all(sites.map(({ stop }) => stop()));
        rmSync(folder, { recursive: true, force: true });
      });

      const add = ({ site, email }: Account): Promise<Asked> =>
        ask("POST", "/api/accounts", { email, password: PASSWORD, ...site.servers });

      /** Delivers a message to each account; returns the accounts whose message the endpoint got exactly once. */
      const announced = async (some: ReadonlyArray<Account>, subject: string) => {
        await forEach(some, 12, ({ site, email }) => site.deliver(email, `${subject} ${email}`));
        return () => {
          const got = receiver.events("email.received").filter(({ data }) => data.subject?.startsWith(subject));
          for (const { account, data } of got) expect(data.subject).toBe(`${subject} ${account.email}`);
          expect(new Set(got.map(({ account }) => account.email)).size, "one event for each").toBe(got.length);
          return got.length;
        };
      };

      it("are added within the limit of each host over all nodes; a request that would wait longer gets 429", async () => {
        let limited = 0;
        const added = async (account: Account) => {
          for (;;) {
            const { status, body, headers } = await add(account);
            if (status === 200) return body.data.id as string;
            expect([status, body.code], JSON.stringify(body)).toEqual([429, "too_many_requests"]);
            limited++;
            const seconds = Number(headers.get("retry-after"));
            expect(seconds).toBeGreaterThan(0);
            await new Promise((done) => setTimeout(done, seconds * 1000));
          }
        };
        const began = performance.now();
        // All accounts of one host at once: more than the host's limit admits in ten seconds.
        const [burst, others] = [accounts.slice(0, EACH), accounts.slice(EACH)];
        const ids = (await Promise.all([forEach(burst, EACH, added), forEach(others, 8, added)])).flat();
        console.log(`added in ${Math.round(performance.now() - began)} ms; ${limited} times 429`);
        expect(new Set(ids).size).toBe(accounts.length);
        expect(limited).toBeGreaterThan(0);
        for (const { imap } of sites) await expect.poll(imap.open, { timeout: 120_000 }).toBe(EACH);
        const seconds = Math.round((performance.now() - began) / 1_000);
        console.log(
          `watched after ${seconds} s; connections: ${sites.map(({ imap, smtp }) => [imap, smtp].map(({ openedAt }) => openedAt.length).join("+"))}`,
        );
        for (const site of sites) expectLimited(site);
        await expect.poll(() => receiver.events("account.added").length, { timeout: 120_000 }).toBe(accounts.length);
      });

      it("announce their arrivals at one endpoint, each with its account", async () => {
        const before = sites.map(({ imap }) => imap.openedAt.length);
        const count = await announced(accounts, "first");
        const began = performance.now();
        await expect.poll(count, { timeout: 120_000 }).toBe(accounts.length);
        console.log(`announced in ${Math.round(performance.now() - began)} ms`);
        expect(
          sites.map(({ imap }) => imap.openedAt.length),
          "no watch is lost to the load",
        ).toEqual(before);
      });

      it("are watched by the other nodes within 10 s of a kill -9, within the limit", async () => {
        // Only connections of the last 10 s count.
        await new Promise((done) => setTimeout(done, 10_000));
        const before = sites.map(({ imap }) => imap.openedAt.length);
        expect(sites.map(({ imap }) => imap.open())).toEqual(sites.map(() => EACH));
        const began = performance.now();
        await nodes.end(nodes.bases()[0]!, "SIGKILL");
        const count = announced(accounts, "after the kill");
        // The kernel has closed the connections of the process long before a lease expires.
        await new Promise((done) => setTimeout(done, 1_000));
        const lost = sites.map(({ imap }) => EACH - imap.open());
        const all = () => sites.every(({ imap }, n) => imap.openedAt.length >= before[n]! + lost[n]!);
        await expect.poll(all, { timeout: 120_000, interval: 20 }).toBe(true);
        const last = Math.max(...sites.map(({ imap }) => imap.openedAt.at(-1)!)) - began;
        await expect.poll(await count, { timeout: 120_000, interval: 20 }).toBe(accounts.length);
        const announcedAfter = performance.now() - began;
        console.log(
          `took over ${lost} in ${Math.round(last)} ms; all announced after ${Math.round(announcedAfter)} ms`,
        );
        expect(lost.reduce((sum, one) => sum + one)).toBe((EACH * SITES.length) / NODES);
        expect(last).toBeLessThan(TAKEOVER_MILLIS);
        for (const site of sites) expectLimited(site);
        await nodes.start();
      });

      it("are used with a key on each server", async () => {
        await Promise.all(sites.map((site, n) => keyJourney(ask, site, `u0@x${n}.test`)));
      });

      it("need a new password if a server stops accepting theirs, and the others continue", async () => {
        const site = sites[2]!;
        const [refused, others] = [
          accounts.filter((one) => one.site === site),
          accounts.filter((one) => one.site !== site),
        ];
        const text = "NO [ALERT] Application-specific password required: https://support.example.com/185833 (Failure)";
        site.proxy!.rewrite = refuseCommands(/^\S+ (LOGIN|AUTHENTICATE)/i, text);
        site.imap.cut();
        const count = await announced(others, "meanwhile");
        const failed = () => receiver.events("account.auth_failed").map(({ account }) => account.email);
        await expect.poll(() => failed().length, { timeout: 120_000 }).toBe(EACH);
        expect(failed().toSorted()).toEqual(refused.map(({ email }) => email).toSorted());
        await expect.poll(count, { timeout: 120_000 }).toBe(others.length);

        const [first] = refused;
        const inbox = await ask("GET", "/api/inbox", undefined, first!.email);
        expect([inbox.status, inbox.body.code]).toEqual([409, "account_needs_reauth"]);
        const verified = await ask("POST", `/api/accounts/${first!.email}/verify`);
        expect(verified.body.data).toMatchObject({
          state: "needs_reauth",
          checks: { imap: { ok: false, cause: "app_password_required" }, smtp: { ok: true } },
        });
        const fresh = { site, email: "fresh@x2.test" };
        await site.addUser(fresh.email);
        const unverified = await add(fresh);
        expect([unverified.status, unverified.body.checks?.imap.cause]).toEqual([422, "app_password_required"]);

        site.proxy!.rewrite = {};
        const some = refused.slice(0, 5);
        await forEach(some, 5, async ({ email }) => {
          const changed = await ask("PATCH", `/api/accounts/${email}`, { password: PASSWORD });
          expect(changed.body.data, JSON.stringify(changed.body)).toMatchObject({ state: "active" });
        });
        await expect.poll(await announced(some, "again"), { timeout: 120_000 }).toBe(some.length);
      });
    });
  });
});
