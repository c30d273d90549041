/** How many of the last lines are kept if the whole trace is not kept. */
const KEPT = 50;
const HEARTBEATS = / AccountWatches\.(?:beat|ending|renew|claim) /;

/**
 * What happened in a seed, one line each. The text of a line is made only on request, because that takes longer than
 * most steps of a simulation.
 */
export class Trace {
  readonly #write: ((line: string) => void) | null;
  readonly #now: () => number;
  readonly #last: Array<string> = [];

  /** `write` receives every line as it is made; without it nothing is traced. */
  constructor(now: () => number, write: ((line: string) => void) | null) {
    this.#now = now;
    this.#write = write;
  }

  get isOn(): boolean {
    return this.#write !== null;
  }

  /** Adds a line. */
  say(line: () => string): void {
    if (this.#write === null) return;
    const whole = `${(this.#now() / 1000).toFixed(3).padStart(10)}  ${line()}`;
    this.#write(whole);
    if (HEARTBEATS.test(whole)) return;
    this.#last.push(whole);
    if (this.#last.length > KEPT) this.#last.shift();
  }

  /** The last lines, without the heartbeats of idle nodes. */
  get last(): ReadonlyArray<string> {
    return this.#last;
  }
}
