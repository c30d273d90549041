import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { describeWithDovecot, startMailHost } from "@postern/testkit";
import { expect, it, onTestFinished } from "vitest";
import { askWithKey, makeKey } from "./ask-with-key.ts";
import { ADMIN_KEY } from "./requests/live-world.ts";
import { started } from "./server-process.ts";

const ACCOUNTS = Array.from({ length: 40 }, (_, n) => `u${n}@x.test`);
const PASSWORD = "secret";
/** How long each kind of flood lasts, in milliseconds. */
const LASTS = 15_000;
const WARM_UP = 90_000;
const MIB = 1 << 20;

/** The time limit for the answers of /health/live, in milliseconds (docs/spec 10.4). */
const MOST = { p99: 100, worst: 500 };
const MAX_GROWTH = 64 * MIB;

/**
 * The limit of the old generation of the server's heap, in MiB: about 80 are in use in this test, and a flood may use
 * as many again. Without the limit, V8 would leave 40 to 150 MiB of garbage, which would hide any growth.
 */
const MAX_OLD_OBJECTS = 144;

const hostileServer = async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "flooding-imap.mjs")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout });
  const said = async () => Number(((await once(lines, "line")) as [string])[0]);
  const port = await said();
  const poured = () => {
    child.stdin.write("?\n");
    return said();
  };
  return { port, poured, flood: (after: string) => void child.stdin.write(`${after}\n`) };
};

const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1_024;

const quantile = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * part))]!;

describeWithDovecot("a mail server that floods one account", () => {
  it("delays neither the 40 others nor the health checks, and takes no memory", { timeout: 10 * 60_000 }, async () => {
    const host = await startMailHost({ accounts: ACCOUNTS, password: PASSWORD });
    onTestFinished(host.stop);
    const hostile = await hostileServer();
    const { base, child } = await started({
      ACCOUNT_SERVERS: "any",
      ADMIN_KEY,
      MAIL_ALLOWED_NETWORKS: "127.0.0.0/8",
      SEND_RATE_PER_MINUTE: "1000",
      LOG_LEVEL: "warn",
      NODE_OPTIONS: `--max-old-space-size=${MAX_OLD_OBJECTS}`,
    });
    const ask = askWithKey(() => base, await makeKey(base, ADMIN_KEY, "many"));
    const at = (url: string) => ({ host: "127.0.0.1", port: Number(new URL(url).port), security: "starttls" });
    const add = async (email: string, imap: object): Promise<string> => {
      const added = await ask("POST", "/api/accounts", { email, password: PASSWORD, imap, smtp: at(host.smtpUrl) });
      expect(added.status, JSON.stringify(added.body)).toBe(200);
      return added.body.data.id;
    };
    host.smtp.setPassword("bad@x.test", PASSWORD);
    const bad = await add("bad@x.test", { host: "127.0.0.1", port: hostile.port, security: "starttls" });
    const ids: Array<string> = [];
    for (const email of ACCOUNTS) ids.push(await add(email, at(host.imapUrl)));

    let isOn = true;
    const faults: Array<string> = [];
    const use = async (id: string, n: number): Promise<void> => {
      for (let round = 0; isOn; round++) {
        const mail = { to: ACCOUNTS[(n + 1) % ACCOUNTS.length], subject: `round ${round}`, text: "x" };
        for (const { status, body } of [
          await ask("GET", "/api/inbox", undefined, id),
          await ask("POST", "/api/send", mail, id),
        ]) {
          if (status !== 200) faults.push(JSON.stringify(body));
        }
        await sleep(1_000);
      }
    };
    const users = ids.map(use);
    // The caches and connections of 40 accounts are filled first.
    await sleep(WARM_UP);
    let [usual, most] = [0, 0];
    for (const after of ["", "LIST", "SELECT", "IDLE", "greeting"]) {
      hostile.flood(after);
      const took: Array<number> = [];
      for (const end = performance.now() + LASTS; performance.now() < end; await sleep(20)) {
        void ask("GET", after === "LIST" ? "/api/folders" : "/api/inbox", undefined, bad);
        const began = performance.now();
        expect((await fetch(`${base}/health/live`)).status).toBe(200);
        took.push(performance.now() - began);
        most = Math.max(most, memoryOf(child.pid!));
      }
      const seen = { p99: quantile(took, 0.99), worst: Math.max(...took) };
      if (after === "") usual = most;
      console.log(
        `${after === "" ? "no flood" : `after ${after}`}: ${took.length} health checks, p99 ${seen.p99.toFixed(0)} ms, ` +
          `worst ${seen.worst.toFixed(0)} ms; ${Math.round((await hostile.poured()) / MIB)} MiB poured in all, ` +
          `${Math.round((most - usual) / MIB)} MiB more memory at most`,
      );
      expect(seen.p99, after).toBeLessThanOrEqual(MOST.p99);
      expect(seen.worst, after).toBeLessThanOrEqual(MOST.worst);
    }
    isOn = false;
    await Promise.all(users);
    expect(faults).toEqual([]);
    expect(await hostile.poured()).toBeGreaterThan(0);
    expect(most - usual).toBeLessThanOrEqual(MAX_GROWTH);
  });
});
