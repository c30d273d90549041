import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Dovecot, Postgres, ScriptedSmtp } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { checkHistory } from "./check-history.ts";
import { runHistory, type World, WORLDS } from "./run-history.ts";

const HELP = `npm run test:histories -- [options]

Runs random clients over HTTP against real processes and mail servers, with kills, pauses and cut connections, and checks what
they were told against the promises of drafts, sending, folders, flags and sessions.

  --quick             three histories of ten seconds, one for each world
  --count <number>    histories to run (default 60); they take turns among the worlds
  --from <number>     skips so many of them, to go on where a run ended (default 0)
  --seconds <number>  how long the clients act in each (default 60)
  --world <name>      only this world: ${WORLDS.join(", ")}
  --save <file>       writes the last history as JSON
  --help

A history is random in time as well, so that a seed does not repeat it; --save keeps it.
Exit codes: 0 no violation, 1 a violation, 2 wrong usage.`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    count: { type: "string" },
    from: { type: "string", default: "0" },
    seconds: { type: "string" },
    world: { type: "string" },
    save: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const worlds: ReadonlyArray<World> = WORLDS.filter((world) => values.world === undefined || values.world === world);
if (worlds.length === 0) {
  console.error(`--world must be one of ${WORLDS.join(", ")}`);
  process.exit(2);
}
const count = Number(values.count ?? (values.quick ? 3 : 60));
const seconds = Number(values.seconds ?? (values.quick ? 10 : 60));

let violations = 0;
for (let index = Number(values.from); index < count; index++) {
  const world = worlds[index % worlds.length]!;
  const servers = Layer.mergeAll(Dovecot.layer(), ScriptedSmtp.layer(), Postgres.own);
  const { history, faults } = await Effect.runPromise(Effect.provide(runHistory(world, index + 1, seconds), servers));
  if (values.save !== undefined) writeFileSync(values.save, JSON.stringify(history, null, 1));
  const broken = checkHistory(history);
  violations += broken.length;
  const open = history.steps.filter(({ answer }) => answer === undefined).length;
  console.log(
    `history ${index + 1} on ${world}: ${history.steps.length} operations, ${open} without an answer, ${faults.kills} kills, ` +
      `${faults.pauses} pauses, ${faults.cuts} cuts, ${history.taken.length} messages sent, ${broken.length} violations`,
  );
  for (const { rule, detail } of broken.slice(0, 10)) console.log(`VIOLATION ${rule}\n  ${detail}`);
}
console.log(`${violations} violations`);
process.exit(violations === 0 ? 0 : 1);
