import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, type PosternClient, type ServiceClient } from "@postern/client";

const ADMIN_KEY = "admin-key-of-the-test-of-the-support-desk";
const folder = mkdtempSync(join(tmpdir(), "postern-"));
const running: Array<ChildProcess> = [];
let baseUrl: string;
let operator: ServiceClient;
let customer: PosternClient;
let key: string;

/** Starts a program, and waits until it prints a line that contains the text. */
const start = async (command: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv, text: string) => {
  const program = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] });
  running.push(program);
  await printed(program, text);
  return program;
};

const printed = async (program: ChildProcess, text: string): Promise<void> => {
  let all = "";
  const read = (chunk: unknown) => void (all += String(chunk));
  program.stdout!.on("data", read);
  const ended = once(program, "exit").then(() => assert.fail(`ended without: ${text}`));
  while (!all.includes(text)) await Promise.race([once(program.stdout!, "data"), ended]);
  ended.catch(() => undefined);
  program.stdout!.off("data", read);
};

const startDesk = () => {
  const env = { POSTERN_URL: baseUrl, KEY: key, STATE: join(folder, "desk.json"), OWN_URL: "http://127.0.0.1:9/" };
  return start(process.execPath, ["desk.ts"], env, "following");
};

const ask = (to: string, subject: string) =>
  customer("POST /api/send", { payload: { to, subject, text: "When does it come?" } });

/** The subjects of the answers that the customer got, once there are as many or 20 seconds later. */
const answers = async (count: number): Promise<ReadonlyArray<string>> => {
  for (let tries = 0; ; tries++) {
    const query = { folder: "inbox", subject: "Re: Order", limit: 200 };
    const { emails } = await customer("GET /api/search", { query });
    if (emails.length >= count || tries === 100) return emails.map(({ subject }) => subject).toSorted();
    await sleep(200);
  }
};

before(async () => {
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const { port } = free.address() as AddressInfo;
  await new Promise((closed) => free.close(closed));
  baseUrl = `http://127.0.0.1:${port}`;
  const env = { ADMIN_KEY, PORT: String(port), DATA_DIR: join(folder, "data"), IMAP_URL: "", SMTP_URL: "" };
  await start("postern", [], env, "ready");
  operator = createClient({ baseUrl, key: ADMIN_KEY });
  for (const email of ["demo@postern.test", "casey@simple.test"])
    await operator.accounts.add({ email, password: "demo", tags: ["desk"] });
  const scopes = ["accounts:read", "mail:read", "mail:organize", "mail:send", "events"] as const;
  key = (await operator.keys.make({ name: "Desk", application: "desk", scopes, accounts: ["tag:desk"] })).key!;
  customer = createClient({ baseUrl });
  await customer.signIn("friend@postern.test", "demo");
});

after(() => {
  for (const program of running) program.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

test("answers each message of all mailboxes once, although it is killed", { timeout: 60_000 }, async () => {
  const first = await startDesk();
  const orders = Array.from({ length: 8 }, (_, n) => `Order ${n}`);
  const answering = printed(first, "answered");
  for (const [n, order] of orders.entries()) await ask(n % 2 === 0 ? "demo@postern.test" : "casey@simple.test", order);
  await answering;
  first.kill("SIGKILL");
  await once(first, "exit");
  await startDesk();
  const expected = orders.map((order) => `Re: ${order}`);
  assert.deepEqual(await answers(expected.length), expected);
  await sleep(2_000);
  assert.deepEqual(await answers(expected.length), expected);
});

test("goes on after its application was suspended", { timeout: 60_000 }, async () => {
  await operator.keys.suspend("desk");
  await ask("demo@postern.test", "Order 9");
  await sleep(1_000);
  assert.ok(!(await answers(0)).includes("Re: Order 9"));
  await operator.keys.resume("desk");
  assert.ok((await answers(9)).includes("Re: Order 9"));
});
