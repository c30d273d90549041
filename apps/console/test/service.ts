import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@postern/testkit";

const READY_MILLIS = 40_000;

/** The operator's key in the tests that need one (`ADMIN_KEY`). */
export const ADMIN_KEY = "admin-key-of-the-tests-0123456789abcdef";

/** A service started like `npm start`, with a short ladder; with the sandbox unless the environment names mail servers. */
export const startService = async (environment: Readonly<Record<string, string>> = {}) => {
  const port = Number(environment["PORT"] ?? (await freePort()));
  const dataDir = await mkdtemp(join(tmpdir(), "console-"));
  const child: ChildProcess = spawn(process.execPath, ["--conditions=@postern/source", "apps/server/start.mjs"], {
    env: {
      PATH: process.env["PATH"],
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: "warn",
      WEBHOOK_RETRY_DELAYS: "200ms,300ms,400ms,500ms,600ms",
      WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
      ...environment,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (output += text));
  const ended = once(child, "exit");
  const base = `http://127.0.0.1:${port}`;
  for (const began = performance.now(); ;) {
    if (child.exitCode !== null || performance.now() - began > READY_MILLIS) throw new Error(output);
    const answer = await fetch(`${base}/health/ready`).catch(() => undefined);
    if (answer?.ok) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
    await rm(dataDir, { recursive: true, force: true });
  };
  return { base, stop };
};

/** A webhook receiver that answers as configured and records the requests. */
export const startReceiver = async () => {
  const received: Array<{ readonly headers: IncomingHttpHeaders; readonly body: string }> = [];
  const answer = { status: 200 };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (text) => (body += text));
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      response.statusCode = answer.status;
      response.end(`the receiver says ${answer.status}`);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return { url, received, answer, stop: () => server.close() };
};
