import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPostern, type MailEvent, type PosternOptions } from "@postern/server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const DEMO = "demo@postern.test";
const FRIEND = "friend@postern.test";

let dataDir = "";
const ends: Array<() => Promise<unknown>> = [];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "embedded-"));
});

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  await rm(dataDir, { recursive: true, force: true });
});

const embedded = async (options: PosternOptions = {}) => {
  const postern = await createPostern({ dataDir, sandbox: true, ...options });
  ends.push(postern.stop);
  await postern.start();
  return postern;
};

const listening = async (handle: Parameters<typeof createServer>[1]) => {
  const server = createServer(handle as () => void).listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const next = async (events: AsyncIterable<MailEvent>): Promise<MailEvent | undefined> => {
  for await (const event of events) return event;
  return undefined;
};

const signIn = (url: string) =>
  fetch(`${url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: DEMO, password: "demo" }),
  });

it("answers under a prefix, through node:http and fetch, with a cookie of that path", async () => {
  const { node, fetch: ask, folders } = await embedded({ baseUrl: "http://127.0.0.1:3000/mail" });
  const base = await listening(node);
  const signedIn = await signIn(`${base}/mail`);
  const cookie = signedIn.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/^session=.*; Path=\/mail; /);
  const headers = { cookie: cookie.split(";")[0]! };
  const list = (await folders(DEMO)).map(({ id }) => id);
  for (const answer of [
    await fetch(`${base}/mail/api/folders`, { headers }),
    await ask(new Request("http://127.0.0.1:3000/mail/api/folders", { headers })),
    // The way Hono passes it.
    await ask(new Request("http://127.0.0.1:3000/api/folders", { headers })),
  ]) {
    const body = (await answer.json()) as { readonly folders: ReadonlyArray<{ readonly id: string }> };
    expect(body.folders.map(({ id }) => id)).toEqual(list);
  }
});

describe("direct calls", () => {
  it("send a message and yield its arrival [S1.2-3]", async () => {
    const postern = await embedded();
    await postern.signIn(DEMO, "demo");
    await postern.signIn(FRIEND, "demo");
    const arrival = next(postern.events(DEMO));
    await postern.webhooks(DEMO);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const receipt = await postern.send(
      FRIEND,
      { to: DEMO, subject: "Lunch?", text: "At one." },
      { idempotencyKey: "1" },
    );
    expect(receipt).toMatchObject({ status: "sent", rejected: [] });
    expect(
      await postern.send(FRIEND, { to: DEMO, subject: "Lunch?", text: "At one." }, { idempotencyKey: "1" }),
    ).toEqual(receipt);
    const event = await arrival;
    expect(event).toMatchObject({ event: "email.received", data: { subject: "Lunch?", messageId: receipt.messageId } });
    const { emails } = await postern.inbox(DEMO, { limit: 1 });
    const id = emails[0]!.id;
    expect(await postern.messages.read(DEMO, id)).toMatchObject({ id, text: "At one.\n" });
    expect(new TextDecoder().decode(await postern.messages.raw(DEMO, id))).toContain("Subject: Lunch?");
    await postern.messages.remove(DEMO, id, { permanent: true });
    await expect(postern.messages.read(DEMO, id)).rejects.toMatchObject({ code: "message_not_found", status: 404 });
  });

  it("fail with plain errors that name the problem", async () => {
    const postern = await embedded();
    await expect(postern.folders(DEMO)).rejects.toThrow(/sign in/);
    await expect(postern.folders("nonsense")).rejects.toMatchObject({ message: "address must be an e-mail address" });
    await expect(postern.signIn(DEMO, "wrong")).rejects.toMatchObject({ code: "invalid_credentials", status: 401 });
    await postern.signIn(DEMO, "demo");
    const refused = await postern
      .send(DEMO, { to: "nonsense", subject: "x", text: "y" })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({
      name: "PosternError",
      message: "to must be an e-mail address",
      code: "invalid_request",
      status: 400,
      errors: [{ field: "to", message: "must be an e-mail address" }],
    });
    await postern.stop();
    await expect(postern.folders(DEMO)).rejects.toMatchObject({ code: "stopped" });
  });
});

it("uses the client address that the host states at a sign-in", async () => {
  const postern = await embedded();
  const signingIn = () =>
    new Request("http://127.0.0.1:3000/api/auth/mobile-login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: DEMO, password: "demo" }),
    });
  await postern.fetch(signingIn(), { clientAddress: "192.0.2.7" });
  await postern.signIn(DEMO, "demo", { clientAddress: "2001:db8::7" });
  await postern.fetch(signingIn());
  const sessions = (await postern.auth.sessions(DEMO)).data.filter(({ kind }) => kind === "bearer");
  const networks = sessions.map(({ network }) => network);
  expect(networks.toSorted()).toEqual(["192.0.2.7", "2001:db8::/64", "unknown"]);
});

it("the host authenticates requests, and a stream ends when it names another account", async () => {
  let user: string | undefined = DEMO;
  const postern = await embedded({
    authenticate: (request) => (request.headers instanceof Headers ? user : undefined),
  });
  const { token } = await postern.signIn(DEMO, "demo");
  const url = "http://127.0.0.1:3000/api/";
  expect((await postern.fetch(new Request(`${url}folders`))).status).toBe(200);
  const stream = await postern.fetch(new Request(`${url}events`));
  expect(stream.status).toBe(200);
  user = FRIEND;
  await expect(stream.text()).resolves.toMatch(/^id: \d+\n\n$/);
  user = undefined;
  // A stored session is not accepted beside the host's authority.
  const headers = { authorization: `Bearer ${token}` };
  expect((await postern.fetch(new Request(`${url}folders`, { headers }))).status).toBe(401);
});

it("logs only to the host's logger", async () => {
  const lines: Array<readonly [string, Readonly<Record<string, unknown>>]> = [];
  const info = (message: string, fields: Readonly<Record<string, unknown>>) => void lines.push([message, fields]);
  const { fetch: ask } = await embedded({ logger: { debug: info, info, warn: info, error: info } });
  await (await ask(new Request("http://127.0.0.1:3000/health/live"))).text();
  expect(lines).toContainEqual(["request", expect.objectContaining({ route: "/health/live", status: 200 })]);
});

it("leaves nothing after stop: the program exits by itself, without output or signal handlers, its folder unlocked", async () => {
  const host = fork(new URL("embedding-host.ts", import.meta.url), [dataDir], {
    execArgv: ["--conditions=@postern/source", "--disable-warning=ExperimentalWarning"],
    // Each of these settings would end a process that reads its environment.
    env: { IMAP_URL: "nonsense", DATABASE_URL: "nonsense", PORT: "x", LOG_LEVEL: "nonsense" },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [host.stdout, host.stderr]) stream?.on("data", (text) => (output += String(text)));
  const ended = once(host, "exit");
  const [said] = await Promise.race([once(host, "message"), ended.then(() => [output])]);
  const told = performance.now();
  expect(said).toEqual({ folders: expect.any(Number) as number, listeners: 0 });
  expect((await ended)[0]).toBe(0);
  expect(performance.now() - told).toBeLessThan(5_000);
  expect(output).toBe("");
});
