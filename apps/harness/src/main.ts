import { Effect } from "effect";
import { harness } from "./Harness.ts";
import { retryLadder, formatSteps } from "./scenarios/retry-ladder.ts";

/** The scenarios that `npm run harness -- <name>` runs. */
const SCENARIOS: Readonly<Record<string, Effect.Effect<string>>> = {
  "retry-ladder": Effect.scoped(
    Effect.flatMap(harness, (world) => Effect.map(retryLadder(world), ({ moments }) => formatSteps(moments))),
  ),
};

const [name = ""] = process.argv.slice(2);
const scenario = SCENARIOS[name];
if (scenario === undefined) {
  console.error(`npm run harness -- <scenario>, where scenario is one of: ${Object.keys(SCENARIOS).join(", ")}`);
  process.exitCode = 1;
} else {
  const began = performance.now();
  console.log(await Effect.runPromise(scenario));
  console.log(
    `\n${((performance.now() - began) / 1000).toFixed(1)} s of real time, the start of the service included.`,
  );
}
