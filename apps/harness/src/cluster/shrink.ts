import { runSeed, type SeedRun } from "./run-seed.ts";

/**
 * Searches the smallest number of acts with which the seed still fails. Halves the script while the failure remains,
 * then removes single acts from its end.
 */
export const shrink = (run: SeedRun, acts: number): number => {
  const fails = (count: number) => runSeed({ ...run, acts: count }).violations.length > 0;
  let [holds, failing] = [-1, acts];
  while (failing - holds > 1) {
    const middle = (holds + failing) >> 1;
    if (fails(middle)) failing = middle;
    else holds = middle;
  }
  return failing;
};
