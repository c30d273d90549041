import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Dovecot, freePort } from "@postern/testkit";
import { Effect } from "effect";
import type { Group } from "../group.ts";
import { PASSWORD } from "../mail-server.ts";
import { connectionsTo, cpuMillis, residentMiB } from "../process-figures.ts";
import { mailAt, signIn, startService } from "../service.ts";
import { textTable } from "../table.ts";

const COUNTS = [1, 100, 1_000];
const SIGNING_IN_AT_ONCE = 4;
const SETTLE_MILLIS = 30_000;
const MEASURE_MILLIS = 60_000;

const rowOf = (accounts: number): string => `idle accounts, ${accounts}`;
const userOf = (n: number): string => `idle${n}@bench.test`;

interface Figures {
  readonly accounts: number;
  readonly connections: number;
  readonly residentMiB: number;
  /** CPU time as a share of one core. */
  readonly cpu: number;
}

/** The cost of watching idle mailboxes. The service is restarted, so that its memory is that of watching only. */
export const idleAccounts: Group = {
  rows: COUNTS.map(rowOf),
  inQuick: false,
  mail: "empty",
  run: ({ wants, say }) =>
    Effect.gen(function* () {
      const dovecot = yield* Dovecot;
      const counts = COUNTS.filter((accounts) => wants(rowOf(accounts)));
      for (let n = 0; n < Math.max(...counts); n++) yield* dovecot.setPassword(userOf(n), PASSWORD);
      return yield* Effect.promise(async () => {
        const found: Array<Figures> = [];
        for (const accounts of counts) {
          found.push(await measureIdle(accounts, dovecot.port));
          say(JSON.stringify(found.at(-1)));
        }
        return {
          text: textTable(
            COLUMNS,
            found.map((figures) => cellsOf(figures, found[0]!)),
          ),
          lines: found,
        };
      });
    }),
};

const COLUMNS = ["watched, nothing happens", "connections", "memory MiB", "MiB per account more", "CPU % of a core"];

const cellsOf = ({ accounts, connections, residentMiB: memory, cpu }: Figures, first: Figures) => {
  const each =
    accounts === first.accounts ? "" : ((memory - first.residentMiB) / (accounts - first.accounts)).toFixed(2);
  return [rowOf(accounts), String(connections), memory.toFixed(0), each, (cpu * 100).toFixed(1)];
};

const measureIdle = async (accounts: number, mailPort: number): Promise<Figures> => {
  const dataDir = mkdtempSync(join(tmpdir(), "bench-"));
  process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  const environment = { ...mailAt(mailPort), DATA_DIR: dataDir, WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32" };
  const first = await startService(await freePort(), environment);
  await watchAll(first.base, accounts);
  await first.stop();
  const service = await startService(await freePort(), environment);
  while (connectionsTo(mailPort, service.pid) < accounts) await sleep(200);
  await sleep(SETTLE_MILLIS);
  const before = cpuMillis(service.pid);
  await sleep(MEASURE_MILLIS);
  const figures = {
    accounts,
    connections: connectionsTo(mailPort, service.pid),
    residentMiB: residentMiB(service.pid),
    cpu: (cpuMillis(service.pid) - before) / MEASURE_MILLIS,
  };
  await service.stop();
  return figures;
};

/** Adds an endpoint, so that the account is watched. */
const watchAll = async (base: string, accounts: number): Promise<void> => {
  let next = 0;
  const loop = async () => {
    while (next < accounts) {
      const token = await signIn(base, userOf(next++), PASSWORD);
      const answer = await fetch(`${base}/api/settings/webhooks`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ url: "http://127.0.0.1:9/", events: ["email.received"] }),
      });
      if (!answer.ok) throw new Error(`the endpoint answered ${answer.status}: ${await answer.text()}`);
    }
  };
  await Promise.all(Array.from({ length: SIGNING_IN_AT_ONCE }, loop));
};
