import { type ShownMessage, shownOf } from "./ShownMessage.ts";

/** The options of `client.sync`. */
interface SyncOptions {
  readonly signal: AbortSignal;
  readonly position: string | null;
  readonly onPosition: (position: string) => void;
  readonly onMessage: (message: ShownMessage) => void;
  readonly onMoved: () => void;
  readonly onFlags: (flags: {
    readonly id: string;
    readonly unread: boolean;
    readonly flagged: boolean;
    readonly answered: boolean;
    readonly labels?: ReadonlyArray<string> | undefined;
  }) => void;
  readonly onGone: (id: string) => void;
  readonly known: () => Iterable<string>;
}

const KILLED = new Error("the program was killed");

/** A program that keeps a copy of a mailbox by `client.sync`, and that tests kill and restart. */
export class CopyingProgram {
  readonly rows = new Map<string, ShownMessage>();
  position: string | null = null;
  /** The errors with which `client.sync` ended. */
  readonly faults: Array<unknown> = [];
  #running = new AbortController();
  #failsIn = 0;
  readonly #sync: (options: SyncOptions) => Promise<unknown>;
  readonly #onShown: (message: ShownMessage) => void;

  constructor(sync: (options: SyncOptions) => Promise<unknown>, onShown: (message: ShownMessage) => void) {
    this.#sync = sync;
    this.#onShown = onShown;
  }

  /** Starts the program at its last stored position. */
  start(): void {
    const running = new AbortController();
    this.#running = running;
    this.#sync({
      signal: running.signal,
      position: this.position,
      onPosition: (position) => this.#step(() => void (this.position = position)),
      onMessage: (message) =>
        this.#step(() => {
          this.#onShown(message);
          this.rows.set(message.id, shownOf(message));
        }),
      onMoved: () => this.#step(() => {}),
      onFlags: ({ id, unread, flagged, answered, labels = [] }) =>
        this.#step(() => {
          const row = this.rows.get(id);
          if (row !== undefined) this.rows.set(id, { ...row, unread, flagged, answered, labels });
        }),
      onGone: (id) => this.#step(() => void this.rows.delete(id)),
      known: () => this.rows.keys(),
    }).catch((fault: unknown) => {
      if (running.signal.aborted) return;
      if (fault === KILLED) this.start();
      else this.faults.push(fault);
    });
  }

  /** Kills the program during one of the next calls of its handlers, and restarts it. */
  killSoon(calls: number): void {
    this.#failsIn = calls;
  }

  stop(): void {
    this.#running.abort(KILLED);
  }

  #step(change: () => void): void {
    change();
    if (this.#failsIn > 0 && --this.#failsIn === 0) throw KILLED;
  }
}
