/** The number of last lines that are kept if the whole trace is not kept. */
const KEPT = 50;
const HEARTBEATS = / AccountWatches\.(?:beat|ending|renew|claim) /;

/**
 * The trace of a seed, one line for each event. The text of a line is created only on request, because that takes
 * longer than most steps of a simulation.
 */
export class Trace {
  readonly #write: ((line: string) => void) | null;
  readonly #now: () => number;
  readonly #last: Array<string> = [];

  /** `write` receives every line when it is created; without `write` nothing is traced. */
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
