import { FAULT_KINDS, type FaultKind } from "./FaultKind.ts";
import { PORT_FAULTS, type PortFaults } from "./port-faults.ts";

/** The kinds of fault that a call of any port can meet. */
const OF_CALLS: ReadonlyArray<FaultKind> = ["latency", "before", "after", "hang", "partition", "crash", "pause"];

/** The faults of many seeds, by kind and by pair of kind and port. */
export class Coverage {
  readonly #hits = new Map<string, number>();

  /** Adds the faults of a seed, by `kind port`. */
  add(hits: ReadonlyMap<string, number>): void {
    for (const [key, count] of hits) this.#hits.set(key, (this.#hits.get(key) ?? 0) + count);
  }

  /** The number of faults of each kind. */
  get byKind(): ReadonlyArray<readonly [FaultKind, number]> {
    return FAULT_KINDS.map((kind) => {
      const whole = this.#hits.get(`${kind} `);
      const each = [...this.#hits].filter(([key]) => key.startsWith(`${kind} `)).map(([, count]) => count);
      return [kind, whole ?? each.reduce((sum, count) => sum + count, 0)] as const;
    });
  }

  /** The pairs of fault and port that no seed hit. */
  get missing(): ReadonlyArray<string> {
    return PAIRS.filter((pair) => !this.#hits.has(pair));
  }

  /** The share of pairs that were hit, in per cent. */
  get percent(): number {
    return (100 * (PAIRS.length - this.missing.length)) / PAIRS.length;
  }
}

/** The kinds of fault that the calls of a port can meet. */
const kindsOf = ({ target, refusable }: PortFaults): ReadonlyArray<FaultKind> => [
  ...OF_CALLS,
  ...(target === "store" ? (["outage"] as const) : []),
  ...(refusable === undefined ? [] : (["refusal"] as const)),
];

const PAIRS = [...PORT_FAULTS].flatMap(([port, faults]) => kindsOf(faults).map((kind) => `${kind} ${port}`));
