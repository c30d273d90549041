import type { FaultKind } from "./FaultKind.ts";
import type { SeededRandom } from "../timeline/SeededRandom.ts";

/** The frequency of each kind of fault in a seed: probabilities per call, or events per minute. */
export interface FaultRates {
  readonly latency: number;
  readonly before: number;
  readonly after: number;
  readonly hang: number;
  readonly partition: number;
  readonly crash: number;
  readonly pause: number;
  /** The probability that a node starts with a wrong clock. */
  readonly skew: number;
  /** The probability that the store refuses a commit, or that the commit conflicts with another transaction. */
  readonly conflict: number;
  /** The frequency of outages of the store for all nodes. */
  readonly outage: number;
  /** The frequency at which the mail server begins to refuse changes for an account. */
  readonly refusal: number;
  /** The probability that a node ends or is paused right after a call took effect. */
  readonly stop: number;
  /** The probability that the client of a request disconnects before the answer. */
  readonly disconnect: number;
}

/** The faults of one call; the waits are in milliseconds, before the call and before its answer. */
export interface DrawnFaults {
  readonly early: number;
  readonly late: number;
  readonly failure: "before" | "after" | "hang" | null;
}

const NONE: DrawnFaults = { early: 0, late: 0, failure: null };

/** The longest time of a command without faults, in milliseconds. */
const COMMAND_MILLIS = 30;
/** The longest wait for a slow call, in milliseconds. */
const SLOW_CALL_MILLIS = 150;
/**
 * The factor by which a fault is likelier at the first call of a port than at its thousandth. Otherwise the busiest
 * port would get all faults.
 */
const FIRST_CALLS = 30;

/** Draws the faults of a seed, and counts them. Each seed has its own mix, so that no kind hides another. */
export class FaultInjection {
  isOn = false;
  readonly rates: FaultRates;
  readonly #random: SeededRandom;
  readonly #calls = new Map<string, number>();
  readonly #changes = new Map<string, number>();
  readonly #hits = new Map<string, number>();

  constructor(random: SeededRandom) {
    this.#random = random;
    const often = (most: number) => (random.chance(0.2) ? 0 : most * random.next());
    this.rates = {
      latency: often(0.5),
      before: often(0.02),
      after: often(0.02),
      hang: often(0.006),
      partition: often(2),
      crash: often(3),
      pause: often(3),
      skew: often(1),
      conflict: often(0.05),
      outage: often(0.7),
      refusal: often(1.5),
      stop: often(0.002),
      disconnect: often(0.1),
    };
  }

  /** Draws the faults of a call to a port. */
  draw(port: string): DrawnFaults {
    if (!this.isOn) return NONE;
    const calls = (this.#calls.get(port) ?? 0) + 1;
    this.#calls.set(port, calls);
    const { latency, before, after, hang } = this.rates;
    const isSlow = this.#random.chance(latency);
    const boost = 1 + FIRST_CALLS / calls;
    const drawn = this.#random.next() / boost;
    const failure =
      drawn < before ? "before" : drawn < before + after ? "after" : drawn < before + after + hang ? "hang" : null;
    if (!isSlow) return failure === null ? NONE : { ...NONE, failure };
    this.hit("latency", port);
    return {
      early: this.#random.between(0, SLOW_CALL_MILLIS),
      late: this.#random.between(0, SLOW_CALL_MILLIS),
      failure,
    };
  }

  /** Draws the duration of a command, in milliseconds. */
  drawTime(): number {
    return this.#random.between(0, COMMAND_MILLIS);
  }

  /** Draws whether a node stops after a change. A stop is likelier after rare changes. */
  drawStop(change: string): "crash" | "pause" | null {
    if (!this.isOn) return null;
    const changes = (this.#changes.get(change) ?? 0) + 1;
    this.#changes.set(change, changes);
    if (!this.#random.chance(this.rates.stop * (1 + FIRST_CALLS / changes))) return null;
    return this.#random.pick(["crash", "pause"]);
  }

  /** Draws the time after which the client of a request disconnects, in milliseconds; null if it waits. */
  drawDisconnect(): number | null {
    if (!this.isOn || !this.#random.chance(this.rates.disconnect)) return null;
    return this.#random.between(0, this.#random.pick([5, 50, 500]));
  }

  /** Counts a fault, of one port or of a whole node. */
  hit(kind: FaultKind, port = ""): void {
    const key = `${kind} ${port}`;
    this.#hits.set(key, (this.#hits.get(key) ?? 0) + 1);
  }

  /** The faults that happened, by `kind port`. */
  get hits(): ReadonlyMap<string, number> {
    return this.#hits;
  }
}
