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
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, ROBINS_TOKEN: "secret" };
  program = spawn(process.execPath, ["main.ts"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(program.stdout!, "data");
  assert.match(String(line), /^listens at/);
});

after(() => {
  program.kill("SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
});

const robin = { authorization: "Bearer secret" };

test("a user of the program has a mailbox; a request of no user has none", { timeout: 30_000 }, async () => {
  const { folders } = await (await fetch(`${base}/api/folders`, { headers: robin })).json();
  assert.ok(folders.some(({ id }: { id: string }) => id === "inbox"));
  assert.equal((await fetch(`${base}/api/folders`)).status, 401);
  const stranger = { authorization: "Bearer guess" };
  assert.equal((await fetch(`${base}/api/folders`, { headers: stranger })).status, 401);
});

test("what the user sends is an event of that user's stream", { timeout: 30_000 }, async () => {
  const events = await fetch(`${base}/api/events`, { headers: robin });
  const sent = await fetch(`${base}/api/send`, {
    method: "POST",
    headers: { ...robin, "content-type": "application/json" },
    body: JSON.stringify({ to: "friend@postern.test", subject: "Lunch?", text: "At one." }),
  });
  assert.equal((await sent.json()).status, "sent");
  let received = "";
  for await (const chunk of events.body!.pipeThrough(new TextDecoderStream())) {
    received += chunk;
    if (received.includes("email.sent")) break;
  }
  assert.match(received, /email\.sent/);
});

test("the program ends on SIGTERM", { timeout: 30_000 }, async () => {
  program.kill("SIGTERM");
  assert.deepEqual(await once(program, "exit"), [0, null]);
});
