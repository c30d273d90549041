import type { ShownMessage } from "@postern/testkit";

type Start = (options: { readonly program: Program; readonly signal: AbortSignal }) => Promise<unknown>;

/** A program that keeps a copy of the mailbox by `client.sync`, and is killed and started again. */
export class Program {
  readonly rows = new Map<string, ShownMessage>();
  position: string | null = null;
  faults: Array<unknown> = [];
  #running = new AbortController();
  #failsIn = 0;
  readonly #start: Start;

  constructor(start: Start) {
    this.#start = start;
  }

  start(): void {
    const running = new AbortController();
    this.#running = running;
    this.#start({ program: this, signal: running.signal }).catch((fault: unknown) => {
      if (running.signal.aborted) return;
      if (fault === KILLED) this.start();
      else this.faults.push(fault);
    });
  }

  /** Ends the program before one of the next calls of its handlers, after which it starts again. */
  killSoon(calls: number): void {
    this.#failsIn = calls;
  }

  stop(): void {
    this.#running.abort(KILLED);
  }

  step(change: () => void): void {
    change();
    if (this.#failsIn > 0 && --this.#failsIn === 0) throw KILLED;
  }
}
const KILLED = new Error("the program was killed");
