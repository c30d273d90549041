import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@postern/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let dataDir = "";
const running = new Set<ChildProcess>();

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "server-"));
});

afterEach(async () => {
  for (const child of running) child.kill("SIGKILL");
  running.clear();
  await rm(dataDir, { recursive: true, force: true });
});

const start = async (environment: Record<string, string> = {}, ...options: ReadonlyArray<string>) => {
  const port = await freePort();
  const child = spawn(process.execPath, ["apps/server/start.mjs", ...options], {
    env: { PATH: process.env["PATH"], PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "trace", ...environment },
  });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const base = `http://127.0.0.1:${port}`;
  return { child, port, base, ended, output: () => output };
};

const started = async (environment: Record<string, string> = {}) => {
  const server = await start(environment);
  for (;;) {
    if (server.child.exitCode !== null) throw new Error(server.output());
    const answer = await fetch(`${server.base}/health/ready`).catch(() => undefined);
    if (answer?.ok) return server;
  }
};

const signIn = async (base: string) => {
  const answer = await fetch(`${base}/api/auth/mobile-login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "demo@postern.test", password: "demo" }),
  });
  return (await answer.json()) as { readonly token: string; readonly refreshToken: string };
};

const folders = (base: string, token: string) =>
  fetch(`${base}/api/folders`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);

describe("the server process", () => {
  it("says where it is and how to sign in, and ends with 0 when told to", async () => {
    const server = await started();
    expect(server.output()).toContain(server.base);
    expect(server.output()).toContain("demo@postern.test");
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  it("answers what is under way before it ends", async () => {
    const server = await started();
    const { token } = await signIn(server.base);
    const answers = Array.from({ length: 20 }, () => folders(server.base, token));
    await new Promise((resolve) => setTimeout(resolve, 5));
    server.child.kill("SIGTERM");
    expect(await Promise.all(answers)).toEqual(answers.map(() => 200));
    expect(await server.ended).toBe(0);
  });

  it("keeps sessions over a restart, even after kill -9", async () => {
    const first = await started();
    const { token } = await signIn(first.base);
    first.child.kill("SIGKILL");
    await first.ended;
    const second = await started();
    expect(await folders(second.base, token)).toBe(200);
  });

  it("refuses a folder that another process uses", async () => {
    const first = await started();
    const second = await start();
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/cannot start: .*in use by process \d+/);
    expect(second.output().trim().split("\n").length).toBe(1);
    expect((await fetch(`${first.base}/health/ready`)).status).toBe(200);
  });

  it("refuses a wrong setting in one line, and a port in use in another", async () => {
    const wrong = await start({ LOG_LEVEL: "loud" });
    expect(await wrong.ended).toBe(1);
    expect(wrong.output()).toMatch(/^Postern cannot start: LOG_LEVEL [^\n]+\n$/);
    const first = await started();
    const second = await start({ PORT: String(first.port), DATA_DIR: join(dataDir, "other") });
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/^Postern cannot listen: [^\n]+\n$/);
  });

  it("explains itself", async () => {
    const help = await start({}, "--help");
    expect(await help.ended).toBe(0);
    expect(help.output()).toContain("IMAP_URL");
  });

  it("tells no secret: not in its output at the loudest, nor in clear in its folder", async () => {
    const server = await started();
    const { token, refreshToken } = await signIn(server.base);
    const secret = "canary-7f3a9c";
    await fetch(`${server.base}/api/auth/mobile-login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "demo@postern.test", password: secret }),
    });
    await folders(server.base, `${token}x`);
    server.child.kill("SIGTERM");
    await server.ended;
    const kept = await Promise.all((await readdir(dataDir)).map((name) => readFile(join(dataDir, name), "latin1")));
    for (const hidden of [secret, token, refreshToken]) {
      expect(server.output()).not.toContain(hidden);
      expect(kept.join()).not.toContain(hidden);
    }
  });

  it("answers what is no HTTP with a problem", async () => {
    const server = await started();
    const socket = connect(server.port, "127.0.0.1");
    let answer = "";
    socket.on("data", (text) => (answer += text));
    socket.write("NOT HTTP AT ALL\r\n\r\n");
    await once(socket, "close");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("application/problem+json");
  });
});
