import type { Invariant } from "./Invariant.ts";
import { runSeed } from "./run-seed.ts";
import { seedOptions } from "./seed-options.ts";
import type { OwnStores } from "./nodes/Wiring.ts";
import type { WorldPart } from "./WorldPart.ts";

/** The options of a simulation, with the user's own stores, parts of the world and invariants. */
export interface SimulationOptions {
  /** The user's own stores, which are under the same faults as the stores that they replace. */
  readonly stores?: OwnStores;
  /** Parts of the world in addition to users, mail and the environment. */
  readonly world?: ReadonlyArray<WorldPart>;
  /** Invariants in addition to those of Postern. */
  readonly invariants?: ReadonlyArray<Invariant>;
  /** The first seed, by default 1. */
  readonly from?: number;
  /** The number of seeds, by default 20. */
  readonly seeds?: number;
  /** The number of nodes, from 1 to 5; by default 3. */
  readonly nodes?: number;
}

/** A seed that violates an invariant. */
export interface FailedSeed {
  readonly seed: number;
  readonly violations: ReadonlyArray<string>;
  /** The trace of the whole seed. */
  readonly trace: ReadonlyArray<string>;
}

/** Simulates clusters under seeds, synchronously; returns the first seed that fails, or undefined. */
export const simulate = (options: SimulationOptions = {}): FailedSeed | undefined => {
  const { stores, world = [], invariants = [], from = 1, seeds = 20, nodes = 3 } = options;
  for (let seed = from; seed < from + seeds; seed++) {
    const usual = seedOptions(seed, nodes, undefined);
    const run = {
      ...usual,
      ...(stores === undefined ? {} : { stores }),
      world: [...usual.world, ...world],
      invariants: [...usual.invariants, ...invariants],
    };
    if (runSeed(run).violations.length === 0) continue;
    const trace: Array<string> = [];
    const { violations } = runSeed({ ...run, write: (line) => void trace.push(line) });
    return { seed, violations, trace };
  }
  return undefined;
};
