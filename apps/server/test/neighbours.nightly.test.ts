import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { folders, post, signIn, started } from "./server-process.ts";

const CONNECTIONS = 1_100;
/** Each request waits for its turn among the requests of all connections, for seconds on a busy machine. */
const REQUESTS = 4;

it("answers every request of one account while another sends more concurrent requests than the service accepts [S8.3-3]", async () => {
  const server = await started({ LOG_LEVEL: "warn" });
  const { token } = await signIn(server.base);
  const other = await post(server.base, "/api/auth/mobile-login", { email: "friend@postern.test", password: "demo" });
  const { token: theirs } = (await other.json()) as { readonly token: string };

  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let flooding = true;
  const flooded = new Map<number, number>();
  const flood = async () => {
    while (flooding) {
      const status = await new Promise<number>((resolve) => {
        const headers = { authorization: `Bearer ${token}` };
        get(`${server.base}/api/inbox?limit=50`, { agent, headers }, (answer) =>
          answer.resume().once("end", () => resolve(answer.statusCode!)),
        ).on("error", () => resolve(0));
      });
      flooded.set(status, (flooded.get(status) ?? 0) + 1);
      if (status !== 200) await sleep(300);
    }
  };
  const all = Promise.all(Array.from({ length: CONNECTIONS }, flood));
  await sleep(500);
  const seen: Array<number> = [];
  while (seen.length < REQUESTS) seen.push((await folders(server.base, theirs)).status);
  flooding = false;
  await all;
  agent.destroy();
  expect([...new Set(seen)]).toEqual([200]);
  expect(flooded.get(429)).toBeGreaterThan(0);
  expect(flooded.get(503)).toBeUndefined();
});

it("counts open event streams as requests of their account", async () => {
  const server = await started({ LOG_LEVEL: "warn" });
  const { token } = await signIn(server.base);
  const ended = new AbortController();
  const open = () =>
    fetch(`${server.base}/api/events`, { headers: { authorization: `Bearer ${token}` }, signal: ended.signal });
  const streams = await Promise.all(Array.from({ length: 64 }, open));
  expect(streams.every(({ status }) => status === 200)).toBe(true);
  const refused = await folders(server.base, token);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  ended.abort();
  for (let tries = 0; tries < 100 && (await folders(server.base, token)).status !== 200; tries++) await sleep(20);
  expect((await folders(server.base, token)).status).toBe(200);
});
