import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import * as NodeRuntime from "@effect/platform-node/NodeRuntime";
import { Dovecot } from "@postern/testkit";
import { Effect } from "effect";
import type { Bench, Group, Plan, Report } from "./groups/group.ts";
import { agents } from "./groups/agents.ts";
import { arrivals } from "./groups/arrivals.ts";
import { baseline } from "./groups/baseline.ts";
import { downloads } from "./groups/downloads.ts";
import { idleAccounts } from "./groups/idle-accounts.ts";
import { pages } from "./groups/pages.ts";
import { managedAccounts } from "./groups/managed-accounts.ts";
import { reading } from "./groups/reading.ts";
import { roundTrips } from "./groups/round-trips.ts";
import { sending } from "./groups/sending.ts";
import { start } from "./groups/start.ts";
import { webhooks } from "./groups/webhooks.ts";
import { CACHE } from "./processes/mail-server.ts";
import { publish } from "./publish.ts";
import { isPublished } from "./published-figures.ts";

const GROUPS: ReadonlyArray<Group> = [
  start,
  reading,
  pages,
  sending,
  roundTrips,
  arrivals,
  downloads,
  idleAccounts,
  baseline,
  managedAccounts,
  webhooks,
  agents,
];

const HELP = `npm run bench -- [options]

Measures the service beside its floors in one run: raw imapflow on kept connections, a bare IDLE, nodemailer's pool,
bare node:http and a bare route of the framework. Starts everything itself; generated mail is cached.

  --quick        a minute and a half: fewer connections, short repeats; says what it leaves out
  --only TEXT    rows whose name contains this, also of what a quick run leaves out
  --publish      the rows of docs/benchmarks.md, in a quarter of an hour; writes its tables and chart
  --json         one line of JSON per row
  --emailengine URL --emailengine-token TOKEN
                 measures a running EmailEngine too, which must reach 127.0.0.1; adds an account and deletes it
  --help

Rows:
${GROUPS.map(({ rows, inQuick }) => `  ${rows.join(" · ")}${inQuick ? "" : " (not in a quick run)"}`).join("\n")}`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    json: { type: "boolean", default: false },
    publish: { type: "boolean", default: false },
    emailengine: { type: "string" },
    "emailengine-token": { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});

const PLAN: Plan = values.quick
  ? { quick: true, connections: [8], repeats: 3, millis: 300, starts: 2 }
  : { quick: false, connections: [1, 8, 32], repeats: 9, millis: 1000, starts: 5 };

const { emailengine: url } = values;
const bench: Bench = {
  plan: values.publish ? { ...PLAN, repeats: Math.min(5, PLAN.repeats) } : PLAN,
  wants: (row) => row.includes(values.only) && (!values.publish || isPublished(row)),
  say: (progress) => process.stderr.write(`${progress}\n`),
  ...(url === undefined ? {} : { emailEngine: { url, token: values["emailengine-token"] } }),
};

const show = ({ text, lines }: Report): void => {
  if (values.json) for (const line of lines) console.log(JSON.stringify(line));
  else console.log(`\n${text}\n`);
};

const measured = GROUPS.filter(({ rows }) => rows.some(bench.wants));
const leftOut = measured.filter(({ inQuick }) => values.quick && values.only === "" && !inQuick);
const results: Array<object> = [];

const loadBefore = loadavg()[0]!;
const runAll = Effect.gen(function* () {
  for (const group of measured) {
    if (leftOut.includes(group)) continue;
    const mail = Dovecot.layer(group.mail === "empty" ? {} : { home: CACHE });
    const report = yield* group.run(bench).pipe(Effect.provide(mail));
    show(report);
    results.push(...report.lines);
  }
  if (values.publish) publish(results, { load: loadBefore, isQuick: values.quick });
  if (leftOut.length > 0) bench.say(`left out: ${leftOut.flatMap(({ rows }) => rows).join(", ")}`);
});

if (values.help) console.log(HELP);
// The process ends by process.exit, also on signals, so that every child ends too.
else NodeRuntime.runMain(runAll, { teardown: (exit) => process.exit(exit._tag === "Success" ? 0 : 1) });
