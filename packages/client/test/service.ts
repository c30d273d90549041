import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const ROOT = join(import.meta.dirname, "../../..");

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === "object" && address !== null ? address.port : 0;
};

/** Starts the service with its sandbox of demo accounts, in a process of its own, below a path. */
export const startService = async (environment: Readonly<Record<string, string>> = {}, path = "") => {
  const folder = mkdtempSync(join(tmpdir(), "client-"));
  const port = String(await freePort());
  const baseUrl = `http://127.0.0.1:${port}${path}`;
  const child = spawn(process.execPath, ["--conditions=@postern/source", "apps/server/start.mjs"], {
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"],
      PORT: port,
      DATA_DIR: folder,
      BASE_URL: baseUrl,
      LOG_LEVEL: "warn",
      ...environment,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const isReady = () =>
    fetch(`${baseUrl}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(output);
    await sleep(50);
  }
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  };
  return { baseUrl, stop };
};
