import { setTimeout as sleep } from "node:timers/promises";
import { Dovecot, ScriptedSmtp } from "@postern/testkit";
import { Effect } from "effect";
import type { Group } from "./group.ts";
import { IDLE_COLUMNS, idleCells, type IdleFigures, measureIdle } from "../processes/idle-figures.ts";
import { loopDelayMillis } from "../figures/loop-delay.ts";
import { PASSWORD } from "../processes/mail-server.ts";
import { cpuMillis } from "../figures/process-figures.ts";
import { textTable } from "../figures/table.ts";

const COUNTS = [1, 1_000];
const ADDED_AT_ONCE = 64;
const ADMIN_KEY = "admin-key-of-the-bench-0123456789abcdef";
/** A host limit ten times the default, so that it does not hide the cost of adding an account. */
const LIMIT = { connections: 500, windowSeconds: 10 };
/**
 * The number of connections that adding an account opens: one to its IMAP and one to its SMTP server, here at one host.
 */
const CONNECTIONS_EACH = 2;

const rowOf = (accounts: number): string => `idle managed accounts, ${accounts}`;
const userOf = (n: number): string => `managed${n}@bench.test`;

interface Adding {
  readonly seconds: number;
  /** The minimum time under the host limit. */
  readonly leastSeconds: number;
  /** The 99th percentiles of the event loop's delay, one for each second. */
  readonly loopDelaysMillis: ReadonlyArray<number>;
  readonly cpuMillisEach: number;
}

interface Figures extends IdleFigures {
  readonly adding: Adding;
}

/** The cost of adding accounts by a service key, and of watching them for one endpoint of an application. */
export const managedAccounts: Group = {
  rows: COUNTS.map(rowOf),
  inQuick: false,
  mail: "empty",
  run: ({ wants, say }) =>
    Effect.gen(function* () {
      const dovecot = yield* Dovecot;
      const smtp = yield* ScriptedSmtp;
      const counts = COUNTS.filter((accounts) => wants(rowOf(accounts)));
      for (let n = 0; n < Math.max(...counts); n++) {
        smtp.setPassword(userOf(n), PASSWORD);
        yield* dovecot.setPassword(userOf(n), PASSWORD);
      }
      const at = (port: number) => ({ host: "127.0.0.1", port, security: "starttls" });
      const servers = { imap: at(dovecot.port), smtp: at(smtp.port) };
      return yield* Effect.promise(async () => {
        const found: Array<Figures> = [];
        for (const accounts of counts) {
          const addThem = (base: string, pid: number) => addAll(base, pid, accounts, servers);
          const { figures, prepared } = await measureIdle(accounts, dovecot.port, SETTINGS, addThem);
          found.push({ ...figures, adding: prepared });
          say(JSON.stringify(found.at(-1)));
        }
        const cells = found.map((figures) => [
          ...idleCells(rowOf(figures.accounts), figures, found[0]!),
          ...addingCells(figures.adding),
        ]);
        return { text: textTable([...IDLE_COLUMNS, ...ADDING_COLUMNS], cells), lines: found };
      });
    }).pipe(Effect.provide(ScriptedSmtp.layer())),
};

const SETTINGS = {
  ACCOUNT_SERVERS: "any",
  ADMIN_KEY,
  MAIL_ALLOWED_NETWORKS: "127.0.0.1/32",
  MAIL_HOST_CONNECTIONS: `${LIMIT.connections}/${LIMIT.windowSeconds}s`,
};

const ADDING_COLUMNS = ["added in s", "least by limit s", "CPU ms each", "loop delay p99 ms: median, worst second"];

const addingCells = ({ seconds, leastSeconds, cpuMillisEach, loopDelaysMillis }: Adding) => {
  const sorted = loopDelaysMillis.toSorted((one, other) => one - other);
  const delays = [sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, sorted.at(-1) ?? Number.NaN];
  return [
    seconds.toFixed(1),
    leastSeconds.toFixed(0),
    cpuMillisEach.toFixed(1),
    delays.map((delay) => delay.toFixed(0)).join(", "),
  ];
};

/** Adds accounts by a service key, with an endpoint of its application. */
const addAll = async (base: string, pid: number, accounts: number, servers: object): Promise<Adding> => {
  const post = (path: string, token: string, json: object) =>
    fetch(`${base}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(json),
    });
  const made = await post("/api/keys", ADMIN_KEY, { name: "bench", scopes: ["accounts:write", "events"] });
  const { data } = (await made.json()) as { readonly data: { readonly key: string } };
  await post("/api/settings/webhooks", data.key, { url: "http://127.0.0.1:9/", events: ["email.received"] });

  let next = 0;
  const lane = async () => {
    while (next < accounts) {
      const account = { email: userOf(next++), password: PASSWORD, ...servers };
      for (;;) {
        const answer = await post("/api/accounts", data.key, account);
        await answer.arrayBuffer();
        if (answer.ok) break;
        if (answer.status !== 429) throw new Error(`adding an account answered ${answer.status}`);
        await sleep(Number(answer.headers.get("retry-after")) * 1000);
      }
    }
  };
  const loopDelaysMillis: Array<number> = [];
  await loopDelayMillis(base);
  const [began, cpu] = [performance.now(), cpuMillis(pid)];
  const added = { all: false };
  const watching = (async () => {
    while (!added.all) {
      await sleep(1_000);
      loopDelaysMillis.push(await loopDelayMillis(base));
    }
  })();
  await Promise.all(Array.from({ length: ADDED_AT_ONCE }, lane));
  const seconds = (performance.now() - began) / 1000;
  const cpuMillisEach = (cpuMillis(pid) - cpu) / accounts;
  added.all = true;
  await watching;
  const windows = Math.ceil((accounts * CONNECTIONS_EACH) / LIMIT.connections) - 1;
  return { seconds, leastSeconds: windows * LIMIT.windowSeconds, loopDelaysMillis, cpuMillisEach };
};
