import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@postern/testkit";
import { connectionsTo, cpuMillis, residentMiB } from "../figures/process-figures.ts";
import { startService } from "./service.ts";

const SETTLE_MILLIS = 30_000;
/** All folders are looked at every two minutes (spec 7.11). */
const MEASURE_MILLIS = 120_000;

/** The cost of watching accounts without changes. */
export interface IdleFigures {
  readonly accounts: number;
  readonly connections: number;
  readonly residentMiB: number;
  /** CPU time as a share of one core. */
  readonly cpu: number;
}

/**
 * Measures a service that watches idle accounts, which `prepare` adds. The service is restarted before it is measured, so
 * that its memory is that of watching only.
 */
export const measureIdle = async <A>(
  accounts: number,
  mailPort: number,
  settings: Record<string, string>,
  prepare: (base: string, pid: number) => Promise<A>,
): Promise<{ readonly figures: IdleFigures; readonly prepared: A }> => {
  const dataDir = mkdtempSync(join(tmpdir(), "bench-"));
  process.once("exit", () => rmSync(dataDir, { recursive: true, force: true }));
  const environment = { ...settings, DATA_DIR: dataDir, WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1/32" };
  const first = await startService(await freePort(), environment);
  const prepared = await prepare(first.base, first.pid);
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
  return { figures, prepared };
};

export const IDLE_COLUMNS = [
  "watched, nothing happens",
  "connections",
  "memory MiB",
  "MiB per account more",
  "CPU % of a core",
];

/** Returns the cells of `IDLE_COLUMNS`; memory per account is counted from the first row. */
export const idleCells = (row: string, { accounts, connections, ...cost }: IdleFigures, first: IdleFigures) => {
  const more = (cost.residentMiB - first.residentMiB) / (accounts - first.accounts);
  const each = accounts === first.accounts ? "" : more.toFixed(2);
  return [row, String(connections), cost.residentMiB.toFixed(0), each, (cost.cpu * 100).toFixed(1)];
};
