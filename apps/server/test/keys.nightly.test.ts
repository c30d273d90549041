import { describeWithPostgres, Postgres } from "@postern/testkit";
import { Effect, ManagedRuntime } from "effect";
import { afterAll, expect, it } from "vitest";
import { deleteKeys, KEY_NODES } from "./key-deletions.ts";
import { sharedKeys } from "./server-nodes.ts";
import { logLines, post, signIn, started } from "./server-process.ts";

const HEADERS = { "postern-account": "demo@postern.test" };

/** A request with a key about the demo account. */
const asKey = (base: string, key: string, path: string, init: RequestInit = {}) =>
  fetch(`${base}${path}`, { ...init, headers: { ...HEADERS, authorization: `Bearer ${key}`, ...init.headers } });

it("logs each write with a key, but no key itself, except the admin key that a sandbox prints at its start [S10.1-4] [S10.1-7]", async () => {
  const { base, output } = await started({ LOG_LEVEL: "trace", LOG_FORMAT: "json" });
  await signIn(base);
  const [, admin = ""] = /^ {2}Admin key +(adm_[\w-]{43}) /m.exec(output()) ?? [];
  const made = await post(base, "/api/keys", { name: "test", scopes: ["mail:read", "mail:send"] }, admin);
  const { id, key } = ((await made.json()) as { readonly data: { readonly id: string; readonly key: string } }).data;
  const wrong = `psk_${"w".repeat(16)}_${"canary".repeat(7)}x`;
  await asKey(base, wrong, "/api/inbox");
  await asKey(base, key, `/api/inbox?access_token=${key}`);
  const mail = { to: "friend@postern.test", subject: "x", text: "x" };
  const body = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(mail) };
  const sent = await asKey(base, key, "/api/send", body);
  expect(sent.status).toBe(200);
  await fetch(`${base}/api/keys/${id}`, { method: "DELETE", headers: { authorization: `Bearer ${admin}` } });
  const audited = logLines(output()).filter(({ message }) => message === "write by a key");
  expect(audited).toMatchObject([
    { key: "admin", operation: "keys.make" },
    {
      key: id,
      account: expect.stringMatching(/^acc_/),
      operation: "send.send",
      requestId: sent.headers.get("x-request-id"),
    },
    { key: "admin", operation: "keys.remove" },
  ]);
  expect(output().split(admin)).toHaveLength(2);
  for (const secret of [key, key.slice(-43), "canary"]) expect(output()).not.toContain(secret);
});

describeWithPostgres("two nodes on one Postgres", () => {
  const postgres = ManagedRuntime.make(Postgres.layer);
  afterAll(() => postgres.dispose());

  it("accept no key after the answer to its deletion, under load", async () => {
    const url = await postgres.runPromise(Effect.flatMap(Postgres, ({ newDatabase }) => newDatabase));
    const environment = { ...(await sharedKeys()), ...KEY_NODES, DATABASE_URL: url, LOG_LEVEL: "warn" };
    const nodes = [(await started(environment)).base, (await started(environment)).base];
    const { accepted, late } = await deleteKeys(nodes, 40);
    expect(accepted).toBeGreaterThan(40);
    expect(late).toBe(0);
  });
});
