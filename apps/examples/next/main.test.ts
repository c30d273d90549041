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
  const next = join(import.meta.dirname, "node_modules/next/dist/bin/next");
  program = spawn(process.execPath, [next, "start", "--hostname", "127.0.0.1"], { env, stdio: "ignore" });
  const isUp = () =>
    fetch(base).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) await new Promise((passed) => setTimeout(passed, 200));
});

after(() => {
  program.kill("SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
});

test("the mailbox answers below /mail, beside the pages of the program", { timeout: 60_000 }, async () => {
  assert.match(await (await fetch(base)).text(), /The mailbox/);
  const signedIn = await fetch(`${base}/mail/api/auth/mobile-login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "demo@postern.test", password: "demo" }),
  });
  const { token } = await signedIn.json();
  const headers = { authorization: `Bearer ${token}` };
  const { folders } = await (await fetch(`${base}/mail/api/folders`, { headers })).json();
  assert.ok(folders.some(({ id }: { id: string }) => id === "inbox"));
  const sent = await fetch(`${base}/mail/api/send`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ to: "friend@postern.test", subject: "Lunch?", text: "At one." }),
  });
  assert.equal((await sent.json()).status, "sent");
});
