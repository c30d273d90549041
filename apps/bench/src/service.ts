import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endsWithUs } from "./ends-with-us.ts";

const SERVER = join(import.meta.dirname, "../../server/start.mjs");

export interface RunningService {
  readonly base: string;
  readonly pid: number;
  /** From the start of the process to the first good answer of `/health/ready`, in milliseconds. */
  readonly startMillis: number;
  readonly stop: () => Promise<void>;
}

/** The mail server there, and no SMTP server unless its port is given. */
export const mailAt = (imapPort: number, smtpPort = 9): Record<string, string> => ({
  IMAP_URL: `imap://127.0.0.1:${imapPort}`,
  SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
});

/** The service as a process of its own on this port, with an empty data folder unless one is given, gone with it;
 * with the options of Node this process has, such as `--cpu-prof`. */
export const startService = async (port: number, environment: Record<string, string>): Promise<RunningService> => {
  const dataDir = environment["DATA_DIR"] ?? mkdtempSync(join(tmpdir(), "bench-"));
  const forget = () => {
    if (environment["DATA_DIR"] === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  const base = `http://127.0.0.1:${port}`;
  const started = performance.now();
  const env = { PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "warn", ...environment };
  const child = endsWithUs(
    spawn(process.execPath, [...process.execArgv, SERVER], { stdio: ["ignore", "ignore", "inherit"], env }),
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

/** An access token of the account. */
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
