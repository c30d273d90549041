import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { freePort } from "@postern/testkit";
import { onTestFinished } from "vitest";
import { READY_PAUSE } from "./ready-pause.ts";

type Environment = Readonly<Record<string, string>>;

const running = new Set<ChildProcess>();
let folder = "";

/** Returns a data folder for the running test; it is removed after the test, and processes in it are ended. */
export const dataDir = (): string => {
  if (folder !== "") return folder;
  onTestFinished(async () => {
    for (const child of running) child.kill("SIGKILL");
    running.clear();
    const mine = folder;
    folder = "";
    await rm(mine, { recursive: true, force: true });
  });
  folder = mkdtempSync(join(tmpdir(), "server-"));
  return folder;
};

/** The arguments that `npm start` passes to Node. */
const COMMAND = (JSON.parse(readFileSync("package.json", "utf8")).scripts.start as string).split(" ").slice(2);

/** Starts the server program with arguments and a clean environment; the running test ends it. */
export const start = async (environment: Environment = {}, ...options: ReadonlyArray<string>) => {
  const [port, own] = [await freePort(), dataDir()];
  const child = spawn(process.execPath, [...COMMAND, ...options], {
    env: {
      PATH: process.env["PATH"],
      PORT: String(port),
      DATA_DIR: own,
      LOG_LEVEL: "trace",
      ...environment,
    },
  });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const base = `http://127.0.0.1:${port}`;
  return { child, port, base, ended, output: () => output };
};

/** Starts a server; resolves when it is ready. */
export const started = async (environment: Environment = {}) => {
  const server = await start(environment);
  for (const began = performance.now(); ;) {
    if (server.child.exitCode !== null || performance.now() - began > 90_000) throw new Error(server.output());
    const answer = await fetch(`${server.base}/health/ready`).catch(() => undefined);
    if (answer?.ok) return server;
    await setTimeout(READY_PAUSE);
  }
};

/** Posts JSON. */
export const post = (base: string, path: string, body: unknown, token?: string) =>
  fetch(`${base}${path}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });

/** Signs in a demo account, the first by default. */
export const signIn = async (base: string, email = "demo@postern.test") => {
  const answer = await post(base, "/api/auth/mobile-login", { email, password: "demo" });
  return (await answer.json()) as { readonly token: string; readonly refreshToken: string };
};

/** Lists the folders. */
export const folders = (base: string, token: string) =>
  fetch(`${base}/api/folders`, { headers: { authorization: `Bearer ${token}` } });

/** Returns the lines of a JSON log. */
export const logLines = (output: string): ReadonlyArray<Record<string, unknown>> =>
  output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
