// Runs fast tests against mutants sent by its parent process, one after another, in one process. No source is written:
// a module hook loads the modules of this repository again for each mutant, one of them with the fault.
import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { recordCalls } from "./branches.mjs";

/** The time limit of a test, because a test may wait for real seconds, and longer on a busy machine. */
const MILLIS_PER_TEST = 60_000;
/** The CPU time in one test file after which a fault must have caused an endless loop. */
const MAX_CPU_MILLIS = 60_000;
/** The memory at which the process ends, because modules of earlier mutants stay in memory. */
const MAX_MEMORY_BYTES = 1.5e9;

const OURS = /\/(?:packages|adapters|apps)\/[^/]+\/(?:src|test)\/.*\.ts$/;
const SOURCE = /\/(?:packages|adapters)\/[^/]+\/src\//;
const VITEST = "mutant:vitest";
const root = pathToFileURL(`${resolve(".")}/`).href;
const standIn = readFileSync(".config/mutant-vitest.mjs", "utf8").replace(
  "MODULE_OF_VITEST",
  pathToFileURL(resolve("node_modules/vitest/dist/index.js")).href,
);

let round = 0;
let mutant;
let isRecording = false;
const plain = new Map();

const textOf = (path) => {
  const text = readFileSync(path, "utf8");
  if (mutant?.path === path) return text.slice(0, mutant.start) + mutant.by + text.slice(mutant.end);
  return isRecording && SOURCE.test(path) ? recordCalls(relative(".", path), text) : text;
};

const sourceOf = (path) => {
  if (mutant?.path === path) return stripTypeScriptTypes(textOf(path));
  if (!plain.has(path)) plain.set(path, stripTypeScriptTypes(textOf(path)));
  return plain.get(path);
};

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === "vitest") return { url: VITEST, format: "module", shortCircuit: true };
    const found = next(specifier, { ...context, parentURL: context.parentURL?.replace(/\?round=\d+$/, "") });
    if (!found.url.startsWith(root) || !OURS.test(found.url)) return found;
    return { url: `${found.url}?round=${round}`, format: "module", shortCircuit: true };
  },
  load: (url, context, next) => {
    if (url === VITEST) return { format: "module", source: standIn, shortCircuit: true };
    const [, ours] = /^(.*)\?round=\d+$/.exec(url) ?? [];
    if (ours === undefined) return next(url, context);
    return { format: "module", source: sourceOf(fileURLToPath(ours)), shortCircuit: true };
  },
});

// Effects that a fault leaves behind may fail later, in a test of another mutant.
process.on("unhandledRejection", () => {});
process.on("uncaughtException", () => {});

const cpuMillis = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** The progress, watched by another thread that ends the process, because an endless loop blocks this one. */
const progress = new Float64Array(new SharedArrayBuffer(8));
const watch = `
  const { workerData: progress } = require("node:worker_threads");
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    if ((user + system) / 1000 - progress[0] > ${MAX_CPU_MILLIS}) process.kill(process.pid, "SIGKILL");
  }, 1000);`;
new Worker(watch, { eval: true, workerData: progress }).unref();

const runFile = async (file, loaded) => {
  progress[0] = cpuMillis();
  await import(VITEST);
  return globalThis.runTestFile(() => import(`${pathToFileURL(resolve(file)).href}?round=${round}`), {
    millisPerTest: MILLIS_PER_TEST,
    loaded,
  });
};

/** Returns the first failure of tests against a mutant, and whether the same tests pass here without it. */
const judge = async (next, files) => {
  for (const file of files) {
    round++;
    mutant = next;
    const failure = await runFile(file);
    process.send({ alive: true });
    if (failure === undefined) continue;
    round++;
    mutant = undefined;
    const isTainted = (await runFile(file)) !== undefined;
    return { failed: `${file} > ${failure.name}`, isTainted };
  }
  return { failed: null, isTainted: false };
};

/** Returns the branches that a test file runs, and its CPU time. */
const record = async (file) => {
  isRecording = true;
  round++;
  let calls = new Set();
  let loaded = [];
  let began = cpuMillis();
  globalThis.recordCall = (id) => calls.add(id);
  const failure = await runFile(file, () => {
    loaded = [...calls];
    calls = new Set();
    began = cpuMillis();
  });
  return { test: file, failure, millis: Math.round(cpuMillis() - began), loaded, calls: [...calls] };
};

process.on("message", async (job) => {
  const answer = job.mutant === undefined ? { record: await record(job.record) } : await judge(job.mutant, job.files);
  process.send({ done: true, ...answer, isFull: process.memoryUsage().rss > MAX_MEMORY_BYTES });
});
process.on("disconnect", () => process.exit(0));
process.send({ ready: true });
