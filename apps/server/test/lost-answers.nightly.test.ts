import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Effect, ManagedRuntime } from "effect";
import { afterAll, expect, it } from "vitest";
import { commitProxy } from "./commit-proxy.ts";
import { post, signIn, started } from "./server-process.ts";
import { addEndpoint, sharedDatabase } from "./webhook-nodes.ts";
import { webhookReceiver } from "./webhook-receiver.ts";

const PATIENCE = { timeout: 30_000, interval: 100 };

describeWithPostgres("a COMMIT whose answer is lost", () => {
  const runtime = ManagedRuntime.make(Postgres.layer);
  const newDatabase = () => runtime.runPromise(Effect.flatMap(Postgres, ({ newDatabase }) => newDatabase));
  afterAll(() => runtime.dispose());

  it("announces the outcome of a message once, and the disabling of an endpoint once", async () => {
    const hook = await webhookReceiver(({ path }) => (path === "/failing" ? 500 : 200));
    const url = await newDatabase();
    const proxy = await commitProxy(url);
    const { environment, rows, count } = await sharedDatabase(url, { WEBHOOK_RETRY_DELAYS: "1ms" });
    const { base } = await started({ ...environment, DATABASE_URL: proxy.url });
    const { token } = await signIn(base);
    const types = async () =>
      (
        await rows<{ readonly type: string }>("select type from event where type <> 'email.received' order by position")
      ).map(({ type }) => type);

    await addEndpoint(base, token, { url: `${hook.url}/told`, events: ["email.sent", "webhook.disabled"] });
    const sent = proxy.strikeAt("after", "email.sent", () => {});
    const mail = { to: "friend@postern.test", subject: "once", text: "x" };
    expect((await post(base, "/api/send", mail, token)).status).toBe(200);
    await sent;
    await expect.poll(() => count("state = 'succeeded'"), PATIENCE).toBe(1);
    expect(await types()).toEqual(["email.sent"]);

    await addEndpoint(base, token, { url: `${hook.url}/failing`, events: ["email.sent"] });
    const disabled = proxy.strikeAt("after", "webhook.disabled", () => {});
    expect((await post(base, "/api/send", mail, token)).status).toBe(200);
    await disabled;
    await expect.poll(() => count("state = 'succeeded'"), PATIENCE).toBe(3);
    expect(await types()).toEqual(["email.sent", "email.sent", "webhook.disabled"]);
    expect(await rows('select id from outgoing where record like \'%"kind":"notice"%\'')).toHaveLength(1);
    expect(hook.posts.filter(({ path }) => path === "/told")).toHaveLength(3);
  });
});
