import type { Cluster } from "./Cluster.ts";

/** One act: an action of a user, of another mail client or of the environment at a point in time. */
interface Act {
  readonly at: number;
  readonly run: () => void;
}

const MAX_MINUTES = 20;

/** The acts of a seed, drawn before the first one happens, so that a shorter script begins the same way. */
export class Script {
  readonly cluster: Cluster;
  readonly start: number;
  readonly end: number;
  readonly #acts: Array<Act> = [];

  constructor(cluster: Cluster, millis: number) {
    this.cluster = cluster;
    this.start = cluster.timeline.now;
    this.end = this.start + millis;
  }

  /**
   * The minutes of the script, up to a maximum. The number of acts is proportional to these minutes, so longer scripts
   * have more time between acts instead of more acts.
   */
  get minutes(): number {
    return Math.min(MAX_MINUTES, (this.end - this.start) / 60_000);
  }

  /** Adds an act at a true time. */
  at(time: number, run: () => void): void {
    this.#acts.push({ at: time, run });
  }

  /** Adds acts at random times. */
  often(count: number, run: (number: number) => void): void {
    for (let number = 0; number < count; number++) {
      this.at(this.cluster.random.between(this.start, this.end), () => run(number));
    }
  }

  get length(): number {
    return this.#acts.length;
  }

  /** Puts the first `count` acts on the timeline; returns the end time of the script. */
  play(count = this.#acts.length): number {
    const inOrder = this.#acts.toSorted((one, other) => one.at - other.at);
    for (const { at, run } of inOrder.slice(0, count)) this.cluster.timeline.at(at, run);
    return inOrder[count]?.at ?? this.end;
  }
}
