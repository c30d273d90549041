import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endWithParent } from "./end-with-parent.ts";

const SERVER = join(import.meta.dirname, "../../../server/start.mjs");

export interface RunningService {
  readonly base: string;
  readonly pid: number;
  /** Milliseconds from the start of the process to the first 200 of `/health/ready`. */
  readonly startMillis: number;
  readonly stop: () => Promise<void>;
}

/** Returns settings for a mail server on this port, with an SMTP server if its port is given. */
export const mailAt = (imapPort: number, smtpPort = 9): Record<string, string> => ({
  IMAP_URL: `imap://127.0.0.1:${imapPort}`,
  SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
});

/**
 * Starts the service as a separate process on this port, with the Node options of `npm start` and of this process, such as
 * `--cpu-prof`. Its data folder is temporary unless one is given.
 */
export const startService = async (port: number, environment: Record<string, string>): Promise<RunningService> => {
  const dataDir = environment["DATA_DIR"] ?? mkdtempSync(join(tmpdir(), "bench-"));
  const forget = () => {
    if (environment["DATA_DIR"] === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  const base = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const env = { PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "warn", ...environment };
  const child = endWithParent(
    spawn(process.execPath, [...process.execArgv, "--max-semi-space-size=16", "--expose-gc", SERVER], {
      stdio: ["ignore", "ignore", "inherit"],
      env,
    }),
    forget,
  );
  while (!(await isReady(base))) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
    await sleep(5);
  }
  return {
    base,
    pid: child.pid!,
    startMillis: performance.now() - started,
    stop: async () => {
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
      forget();
    },
  };
};

const isReady = (base: string): Promise<boolean> =>
  fetch(`${base}/health/ready`).then(
    (answer) => answer.ok,
    () => false,
  );

/** Signs in; returns an access token of the account. */
export const signIn = async (base: string, email: string, password: string): Promise<string> => {
  const answer = await fetch(`${base}/api/auth/mobile-login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  const { token } = (await answer.json()) as { readonly token?: string };
  if (token === undefined) throw new Error(`signing in as ${email} answered ${answer.status}`);
  return token;
};
