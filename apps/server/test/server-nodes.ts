import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@postern/testkit";
import { Effect } from "effect";

const program = ["--conditions=@postern/source", "apps/server/start.mjs"];
const PATH = process.env["PATH"];

/** Returns keys for several nodes to share, as `keys:new` prints them. */
export const sharedKeys = async () => {
  const child = spawn(process.execPath, [...program, "keys:new"], { env: { PATH } });
  let printed = "";
  child.stdout.on("data", (text) => (printed += text));
  await once(child, "exit");
  const [, JWT_KEYS] = /^JWT_KEYS=(.*)$/m.exec(printed)!;
  return { JWT_KEYS: JWT_KEYS!, CREDENTIAL_KEYS: `k1:${Buffer.alloc(32, 1).toString("base64")}` };
};

/** Starts server processes with one environment on separate ports; ended with the scope. */
export const serverNodes = (environment: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const running = new Map<string, ChildProcess>();
      const end = async (base: string, signal: NodeJS.Signals): Promise<void> => {
        const child = running.get(base)!;
        running.delete(base);
        if (child.exitCode !== null) return;
        const gone = once(child, "exit");
        child.kill(signal);
        await gone;
      };
      const start = async (): Promise<string> => {
        const port = String(await freePort());
        const child = spawn(process.execPath, program, { env: { PATH, ...environment, PORT: port }, stdio: "pipe" });
        let output = "";
        for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
        const base = `http://127.0.0.1:${port}`;
        for (let tries = 0; tries < 800 && child.exitCode === null; tries++) {
          const ready = await fetch(`${base}/health/ready`).catch(() => undefined);
          if (ready?.ok) {
            running.set(base, child);
            return base;
          }
          await sleep(25);
        }
        throw new Error(`not ready: ${output}`);
      };
      return { start, end, bases: () => [...running.keys()] };
    }),
    ({ bases, end }) => Effect.promise(() => Promise.all(bases().map((base) => end(base, "SIGKILL")))),
  );
