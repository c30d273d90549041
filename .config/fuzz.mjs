// Reads mutated inputs with every reader of foreign input, and reports thrown errors and the time of the readers.
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { codeCoverage, fuzzReader, MAX_TURN_MILLIS } from "../packages/testkit/src/index.ts";

const HELP = `npm run fuzz -- [options]

Mutates the corpora of test/fuzzed-readers.ts of each package. Inputs that reach new code are mutated further.

  --reader <name>    only readers whose name begins so, such as "imap" or "imap/fetch"
  --seed <number>    which inputs (default 1)
  --count <number>   how many of all readers together (default 100000); those that read whole conversations get fewer
  --unguided         does not measure which code the inputs reach: twice as fast
  --list             lists the readers
  --help

The same seed, count and readers make the same inputs. Fails at an error that a reader does not declare, a turn of the event
loop that takes more than 50 ms of processor (more for readers in workers of their own), and a heap that grows by more than 32 MB.
Exit codes: 0 nothing was found, 1 something was found, 2 wrong usage.`;

const MAX_GROWN_BYTES = 32 << 20;
/** The CPU time, and on a busy machine the elapsed time, after which reading an input counts as endless. */
const [MAX_INPUT_CPU_MILLIS, MAX_INPUT_MILLIS] = [20_000, 600_000];
/** The number of inputs between two readings of the coverage, which take longer than most inputs. */
const MEASURED_EVERY = 250;
const SHOWN_CHARS = 300;

const { values } = parseArgs({
  options: {
    reader: { type: "string", default: "" },
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "100000" },
    unguided: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const files = globSync("{packages,adapters}/*/test/fuzzed-readers.ts").toSorted();
// The modules are imported one after the other, because concurrent imports may require a module that is not loaded yet.
const all = [];
for (const file of files) all.push(...(await import(resolve(file))).readers);
const readers = all.filter(({ name }) => name.startsWith(values.reader));
if (readers.length === 0) {
  console.error(`--reader must begin as one of ${all.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
if (values.list) {
  console.log(readers.map(({ name, corpus }) => `${name}  ${corpus.length} inputs to begin with`).join("\n"));
  process.exit(0);
}

/** The number of the input in progress, watched by another thread, because an endless input would block this one. */
const progress = new Int32Array(new SharedArrayBuffer(8));
const [READER, INPUT] = [0, 1];
new Worker(
  `const { workerData: { progress, names, cpuMillis, millis } } = require("node:worker_threads");
  let [last, since, spent] = ["", 0, 0];
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    const [input, now, used] = [progress.join(), Date.now(), (user + system) / 1_000];
    if (input !== last) [last, since, spent] = [input, now, used];
    else if (used - spent > cpuMillis || now - since > millis) {
      const took = Math.round(used - spent) + " ms of processor and " + (now - since) + " ms";
      require("node:fs").writeSync(2, \`ENDLESS \${names[progress[0]]}: input \${progress[1]} of this seed has taken \${took}\\n\`);
      process.kill(process.pid, "SIGKILL");
    }
  }, 1_000);`,
  {
    eval: true,
    workerData: {
      progress,
      names: readers.map(({ name }) => name),
      cpuMillis: MAX_INPUT_CPU_MILLIS,
      millis: MAX_INPUT_MILLIS,
    },
  },
).unref();

const show = (input) => {
  const text = input.toString("latin1");
  return `${JSON.stringify(text.slice(0, SHOWN_CHARS))}${text.length > SHOWN_CHARS ? ` and ${text.length - SHOWN_CHARS} more` : ""}`;
};

const shares = readers.map(({ weight = 1 }) => 1 / weight);
const sum = shares.reduce((total, share) => total + share, 0);
const coverage = values.unguided ? undefined : codeCoverage();
const started = performance.now();
let [inputs, found, worst] = [0, 0, 0];
for (const [index, reader] of readers.entries()) {
  progress[READER] = index;
  const result = await fuzzReader(reader, {
    seed: Number(values.seed),
    count: Math.ceil((Number(values.count) * shares[index]) / sum),
    beginning: (n) => (progress[INPUT] = n),
    ...(coverage && { guide: { ...coverage, every: Math.ceil(MEASURED_EVERY * shares[index]) } }),
  });
  const { kept, thrown, slowest, grownBytes } = result;
  inputs += result.inputs;
  worst = Math.max(worst, slowest.millis);
  console.log(
    `${reader.name}: ${result.inputs} inputs, ${kept} reached new code, ${thrown.length} throws, slowest turn ` +
      `${slowest.millis.toFixed(1)} ms, heap ${(grownBytes / 2 ** 20).toFixed(1)} MB more`,
  );
  for (const { fault, input } of thrown) console.log(`THROWS ${fault}\n  at ${show(input)}`);
  const [isSlow, isGrown] = [slowest.millis > (reader.maxMillis ?? MAX_TURN_MILLIS), grownBytes > MAX_GROWN_BYTES];
  if (isSlow) console.log(`SLOW ${slowest.millis.toFixed(0)} ms\n  at ${show(slowest.input)}`);
  if (isGrown) console.log("GROWS");
  found += thrown.length + Number(isSlow) + Number(isGrown);
}
coverage?.stop();
const seconds = ((performance.now() - started) / 1_000).toFixed(0);
console.log(`${inputs} inputs in ${seconds} s, slowest turn ${worst.toFixed(1)} ms, ${found} findings`);
process.exit(found === 0 ? 0 : 1);
