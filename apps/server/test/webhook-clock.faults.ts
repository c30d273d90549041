import { expect, it } from "vitest";
import { post, signIn, started } from "./server-process.ts";
import { addEndpoint } from "./webhook-nodes.ts";
import { webhookReceiver } from "./webhook-receiver.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MAILS = 5;

/** Preloaded code that moves the clock of the process by the next of these steps at each SIGUSR2. */
const steppedBy = (...steps: ReadonlyArray<number>) =>
  `--import=data:text/javascript,${encodeURIComponent(
    `const now=Date.now,steps=${JSON.stringify(steps)};let off=0;Date.now=()=>now()+off;process.on("SIGUSR2",()=>{off=steps.shift()})`,
  )}`;

it("a clock set back an hour delays no retry, and one set a day ahead causes no early retry and floods no endpoint", async () => {
  const hook = await webhookReceiver(({ path }) => (path === "/failing" ? 500 : 200));
  const { base, child, output } = await started({
    NODE_OPTIONS: steppedBy(-HOUR, DAY),
    LOG_LEVEL: "warn",
    WEBHOOK_RETRY_DELAYS: "10s,1h,1h",
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32",
  });
  const { token } = await signIn(base);
  const events = ["email.sent"];
  await addEndpoint(base, token, { url: `${hook.url}/failing`, events });
  const send = async (subject: string) => {
    const mail = { to: "friend@postern.test", subject, text: "x" };
    expect((await post(base, "/api/send", mail, token)).status).toBe(200);
  };
  const noticed = () => output().match(/it was set;/g)?.length ?? 0;
  for (let n = 0; n < MAILS; n++) await send(`mail ${n}`);
  await expect.poll(() => hook.posts.length, { timeout: 30_000 }).toBe(MAILS);
  child.kill("SIGUSR2");
  await expect.poll(() => hook.posts.length, { timeout: 60_000 }).toBe(2 * MAILS);
  for (const { id, nth, at } of hook.posts) {
    const before = hook.posts.find((other) => other.id === id && other.nth === nth - 1);
    // The service's clock approaches another time at most a tenth faster.
    if (before !== undefined) expect(at - before.at).toBeGreaterThan(9_000);
  }
  await expect.poll(noticed, { timeout: 90_000 }).toBeGreaterThan(0);

  const until = noticed();
  child.kill("SIGUSR2");
  await expect.poll(noticed, { timeout: 90_000 }).toBeGreaterThan(until);
  await addEndpoint(base, token, { url: `${hook.url}/healthy`, events });
  await send("still alive");
  // Only the new event arrives, once at each endpoint. The retries of the other events are due after an hour of real
  // time, not of the machine's clock.
  await expect.poll(() => hook.ended("/healthy"), { timeout: 30_000 }).toBe(1);
  await expect.poll(() => hook.ended("/failing"), { timeout: 60_000 }).toBe(2 * MAILS + 2);
  expect(hook.posts).toHaveLength(2 * MAILS + 3);
  expect(Math.max(...hook.posts.map(({ nth }) => nth))).toBe(2);
});
