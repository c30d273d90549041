import { expect, it } from "vitest";
import { post, signIn, started } from "./server-process.ts";
import { addEndpoint } from "./webhook-nodes.ts";
import { SILENCE, webhookReceiver } from "./webhook-receiver.ts";

it("/metrics counts outcomes of POSTs and due and pending deliveries", async () => {
  const hook = await webhookReceiver(({ path }) => (path === "/hung" ? SILENCE : path === "/bad" ? 500 : 204));
  const { base } = await started({ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32", WEBHOOK_TIMEOUT: "1h" });
  const { token } = await signIn(base);
  const add = (name: string, url = `${hook.url}/${name}`) =>
    addEndpoint(base, token, { url, events: ["email.sent"], maxInFlight: 1 });
  for (const name of ["good", "bad", "hung"]) await add(name);
  // No receiver listens there.
  await add("gone", "http://127.0.0.1:1/");
  for (let n = 0; n < 3; n++) {
    const mail = { to: "friend@postern.test", subject: `mail ${n}`, text: "x" };
    expect((await post(base, "/api/send", mail, token)).status).toBe(200);
  }
  const metrics = async () => {
    const page = await (await fetch(`${base}/metrics`)).text();
    return page.split("\n").filter((line) => line.startsWith("postern_webhook_"));
  };
  await expect
    .poll(async () => (await metrics()).toSorted(), { timeout: 30_000 })
    .toEqual([
      'postern_webhook_attempts_total{outcome="delivered"} 3',
      'postern_webhook_attempts_total{outcome="refused"} 3',
      'postern_webhook_attempts_total{outcome="rejected"} 3',
      // One of three deliveries hangs; the failed deliveries are due in a minute.
      "postern_webhook_deliveries_due 2",
      "postern_webhook_notices_unsent_total 0",
    ]);
});
