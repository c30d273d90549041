import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PROMTOOL } from "@postern/testkit";

/** The values of `/metrics` by series, with the time of the scrape. */
export interface Scrape {
  readonly at: number;
  readonly values: ReadonlyMap<string, number>;
}

export const RULES = resolve("apps/server/deploy/alerts.yaml");

const STEP_SECONDS = 15;
const QUIET_STEPS = 80;
const OUTAGE_STEPS = 280;

/** Gauges that grow with time during an outage, as counters do. */
const GROWING = /^postern_(?:claims_failing_seconds|outbox_oldest_seconds)\b/;
const COUNTER = /^postern_\w+_(?:total|count|sum|bucket)\b/;

/** Alerts that fire because of the load of the test's machine. */
const OF_LOAD = ["PosternEventLoopLate", "PosternMemory"];

/** Reads `/metrics` of a process. */
export const scrape = async (base: string): Promise<Scrape> => {
  const text = await (await fetch(`${base}/metrics`)).text();
  const lines = text.split("\n").flatMap((line) => /^(postern_\w+(?:\{.*\})?) (\S+)$/.exec(line) ?? []);
  const values = new Map<string, number>();
  for (let n = 0; n < lines.length; n += 3) values.set(lines[n + 1]!, Number(lines[n + 2]));
  return { at: performance.now(), values };
};

/**
 * Returns the alerts that fire before an outage and at its end. The values of the scrape before the outage hold for 20
 * minutes. The values of the two scrapes during the outage are extended to 70 minutes, in which counters grow at the
 * rate between the two.
 */
export const firingAlerts = async (quiet: Scrape, [first, second]: readonly [Scrape, Scrape]) => {
  const seconds = (second.at - first.at) / 1000;
  const steps = (names: Iterable<string>) =>
    [...names].map((name) => {
      const [before, begun, ended] = [quiet, first, second].map(({ values }) => values.get(name));
      const grows = COUNTER.test(name) || GROWING.test(name);
      const slope =
        grows && begun !== undefined && ended !== undefined ? ((ended - begun) / seconds) * STEP_SECONDS : 0;
      const quietly = before === undefined ? `_x${QUIET_STEPS}` : `${before}+0x${QUIET_STEPS}`;
      const then =
        ended === undefined ? `_x${OUTAGE_STEPS}` : `${(grows ? begun : undefined) ?? ended}+${slope}x${OUTAGE_STEPS}`;
      return { series: labelled(name), values: `${quietly} ${then}` };
    });
  const series = [
    { series: 'up{job="postern",instance="a"}', values: `1+0x${QUIET_STEPS + OUTAGE_STEPS}` },
    ...steps(new Set([...quiet.values.keys(), ...second.values.keys()])),
  ];
  const at = (step: number) => `${Math.floor((step * STEP_SECONDS) / 60)}m`;
  return {
    before: await firingAt(series, at(QUIET_STEPS - 4)),
    after: await firingAt(series, at(QUIET_STEPS + OUTAGE_STEPS - 4)),
  };
};

const labelled = (name: string): string =>
  name.includes("{") ? name.replace("{", '{instance="a",') : `${name}{instance="a"}`;

/** Returns the names of the alerts that fire at a time, from the output of `promtool`, which reports alerts that are not expected. */
const firingAt = async (series: ReadonlyArray<object>, time: string): Promise<ReadonlyArray<string>> => {
  const folder = await mkdtemp(join(tmpdir(), "alerts-"));
  const file = join(folder, "test.yaml");
  const expected = { expr: 'count by (alertname) (ALERTS{alertstate="firing"})', eval_time: time, exp_samples: [] };
  const tests = [{ interval: `${STEP_SECONDS}s`, input_series: series, promql_expr_test: [expected] }];
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: `${STEP_SECONDS}s`, tests }));
  // Meanwhile the connections of this process go on.
  const printed = await new Promise<string>((resolve) =>
    execFile(PROMTOOL, ["test", "rules", file], (error, stdout, stderr) =>
      resolve(error === null ? "" : `${stdout}${stderr}`),
    ),
  );
  await rm(folder, { recursive: true });
  if (printed === "") return [];
  const names = [...printed.matchAll(/alertname="(\w+)"/g)].map(([, name]) => name!);
  if (names.length === 0) throw new Error(`promtool: ${printed}`);
  return names.filter((name) => !OF_LOAD.includes(name)).toSorted();
};
