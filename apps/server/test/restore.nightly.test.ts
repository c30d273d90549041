import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Effect, ManagedRuntime } from "effect";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { askWithKey } from "./ask-with-key.ts";
import { sharedKeys } from "./server-nodes.ts";
import { dataDir, post, signIn, start, started } from "./server-process.ts";

const ADMIN_KEY = "a".repeat(40);
type Server = Awaited<ReturnType<typeof started>>;

const stopped = async ({ child, ended }: Server) => {
  child.kill("SIGTERM");
  await ended;
};

/** Runs a command to its end; returns its exit code and what it printed. */
const ran = async (environment: Readonly<Record<string, string>>, ...options: ReadonlyArray<string>) => {
  const command = await start(environment, ...options);
  return [await command.ended, command.output()] as const;
};

/** A receiver that refuses until the test lets it accept; it records the subjects of events. */
const receiver = async () => {
  const state = { accepts: false, got: Array<string>() };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", () => {
      if (state.accepts) state.got.push(JSON.parse(body).data.subject);
      response.writeHead(state.accepts ? 200 : 503).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
};

describeWithPostgres(
  "a restored backup",
  () => {
    const runtime = ManagedRuntime.make(Postgres.own);
    afterAll(() => runtime.dispose());

    it.each(["SQLite", "PostgreSQL"])(
      "on %s sends nothing that waited, until it is released, and begins another feed [S8.5-3] [S7.10-8]",
      async (engine) => {
        const hook = await receiver();
        const url =
          engine === "SQLite"
            ? undefined
            : await runtime.runPromise(Effect.flatMap(Postgres, ({ newDatabase }) => newDatabase));
        const settings = {
          ADMIN_KEY,
          WEBHOOK_RETRY_DELAYS: "1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s,1s",
          WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
          ...(await sharedKeys()),
          ...(url === undefined ? {} : { DATABASE_URL: url }),
        };
        const before = await started(settings);
        const { token } = await signIn(before.base);
        await post(before.base, "/api/settings/webhooks", { url: hook.url, events: ["email.sent"] }, token);
        await post(before.base, "/api/send", { to: "friend@postern.test", subject: "told", text: "x" }, token);
        const sendAt = new Date(Date.now() + 20_000).toISOString();
        await post(before.base, "/api/send", { to: "friend@postern.test", subject: "later", text: "x", sendAt }, token);
        const feedOf = async ({ base }: Server, bearer: string, query = "") => {
          const answer = await fetch(`${base}/api/changes${query}`, { headers: { authorization: `Bearer ${bearer}` } });
          return [answer.status, (await answer.json()) as { readonly next: string; readonly code?: string }] as const;
        };
        const [, { next }] = await feedOf(before, token);
        const copy = join(dataDir(), "copy.db");
        if (url === undefined) expect((await ran(settings, "backup", copy))[0]).toBe(0);
        await stopped(before);

        const folder = join(dataDir(), "restored");
        await mkdir(folder);
        const there = { ...settings, DATA_DIR: folder };
        const [code, output] = await ran(there, "restore", ...(url === undefined ? [copy] : []));
        expect([code, output]).toEqual([0, expect.stringContaining("1 message and all pending deliveries are held")]);
        if (url === undefined) {
          expect(await ran(there, "restore", copy)).toEqual([1, expect.stringContaining("is there already")]);
        }
        hook.accepts = true;
        const after = await started(there);
        await setTimeout(3_000);
        const ask = askWithKey(() => after.base, ADMIN_KEY);
        const states = async () => {
          const { body } = await ask("GET", "/api/admin/outbox");
          return body.data.map(({ state }: { readonly state: string }) => state).toSorted();
        };
        expect(await states()).toEqual(["held", "sent"]);
        expect(hook.got).toEqual([]);
        expect((await ask("POST", "/api/admin/outbox/release", { state: "held" })).body.data.messages).toBe(1);
        await expect.poll(states, { timeout: 40_000 }).toEqual(["sent", "sent"]);
        // New events are delivered; waiting events are delivered after a replay.
        await expect.poll(() => hook.got, { timeout: 20_000 }).toEqual(["later"]);
        const again = await signIn(after.base);
        const own = await fetch(`${after.base}/api/settings/webhooks`, {
          headers: { authorization: `Bearer ${again.token}` },
        });
        const [status, refused] = await feedOf(after, again.token, `?after=${next}`);
        expect([status, refused.code]).toEqual([410, "feed_expired"]);
        expect((await feedOf(after, again.token, `?after=${refused.next}`))[0]).toBe(200);
        const [{ id }] = ((await own.json()) as { readonly data: ReadonlyArray<{ readonly id: string }> }).data as [
          { id: string },
        ];
        const since = new Date(Date.now() - 600_000).toISOString();
        await post(after.base, `/api/settings/webhooks/${id}/replay`, { since }, again.token);
        await expect.poll(() => hook.got, { timeout: 20_000 }).toEqual(["later", "told"]);
      },
    );
  },
  { own: true },
);
