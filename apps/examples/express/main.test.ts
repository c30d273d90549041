import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

const dataDir = mkdtempSync(join(tmpdir(), "postern-"));
let base: string;
let program: ChildProcess;

before(async () => {
  const free = createServer().listen(0, "127.0.0.1");
  await once(free, "listening");
  const { port } = free.address() as AddressInfo;
  await new Promise((closed) => free.close(closed));
  base = `http://127.0.0.1:${port}`;
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir };
  program = spawn(process.execPath, ["main.ts"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(program.stdout!, "data");
  assert.match(String(line), /^listens at/);
});

after(() => {
  program.kill("SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
});

const signIn = async (email: string) => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ email, password: "demo" });
  const response = await fetch(`${base}/mail/api/auth/mobile-login`, { method: "POST", headers, body });
  const { token } = await response.json();
  return { authorization: `Bearer ${token}` };
};

test("a mail that a route of the program sends is an event of its recipient", { timeout: 30_000 }, async () => {
  const headers = await signIn("friend@postern.test");
  const { folders } = await (await fetch(`${base}/mail/api/folders`, { headers })).json();
  assert.ok(folders.some(({ id }: { id: string }) => id === "inbox"));

  const events = await fetch(`${base}/mail/api/events`, { headers });
  const welcome = await fetch(`${base}/welcome/friend@postern.test`, { method: "POST" });
  assert.equal((await welcome.json()).status, "sent");
  let received = "";
  for await (const chunk of events.body!.pipeThrough(new TextDecoderStream())) {
    received += chunk;
    if (received.includes("email.received")) break;
  }
  assert.match(received, /email\.received/);
});

test("the program ends on SIGTERM", { timeout: 30_000 }, async () => {
  program.kill("SIGTERM");
  assert.deepEqual(await once(program, "exit"), [0, null]);
});
