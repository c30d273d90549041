// Runs fast tests against mutants that its parent sends, one after another, in one vitest: sources are transformed once.
import { createVitest, type Reporter } from "vitest/node";
import { fromSources } from "./from-sources.ts";
import { mutant, type Mutant } from "./mutant.ts";

/** Groups of tests, run in order until one fails. */
interface Job {
  readonly mutant: Mutant;
  readonly groups: ReadonlyArray<ReadonlyArray<string>>;
}

let planted: Mutant | undefined;
let failed: string | undefined;

const failures: Reporter = {
  onTestCaseResult: (test) => {
    if (test.result().state === "failed") failed ??= `${test.module.relativeModuleId} > ${test.name}`;
  },
  onTestModuleEnd: (module) => {
    if (module.errors().length > 0) failed ??= module.relativeModuleId;
    process.send?.({ alive: true });
  },
};

const vitest = await createVitest(
  "test",
  {
    config: false,
    watch: true,
    include: ["{packages,adapters,apps}/*/test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/*.{integration,nightly}.test.ts"],
    isolate: false,
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 20_000,
    bail: 1,
    reporters: [failures],
  },
  { ...fromSources, server: { watch: null }, plugins: [mutant(() => planted)] },
);
await vitest.standalone();

const judge = async ({ mutant: next, groups }: Job) => {
  const before = planted?.path;
  planted = next;
  failed = undefined;
  for (const path of new Set([before, next.path])) if (path !== undefined) vitest.invalidateFile(path);
  for (const files of groups) {
    const specifications = files.map((file) => vitest.getRootProject().createSpecification(file));
    const { unhandledErrors } = await vitest.runTestSpecifications(specifications);
    if (unhandledErrors.length > 0) failed ??= String(unhandledErrors[0]);
    if (failed !== undefined) break;
  }
  process.send?.({ failed: failed ?? null });
};

process.on("message", (job: Job) => void judge(job));
process.on("disconnect", () => process.exit(0));
process.send?.({ ready: true });
