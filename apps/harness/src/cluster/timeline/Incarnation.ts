import { type Clock, Duration, Effect, Exit, Scope } from "effect";
import type { FaultTarget } from "./FaultTarget.ts";
import { TIMELINE_START, type Timeline } from "./Timeline.ts";

/** The error of a node's clock, compared with true time. */
export interface ClockError {
  /** The milliseconds by which the clock is ahead at the start. */
  readonly offset: number;
  /** The milliseconds by which the clock advances per true millisecond, until its error is `MAX_ERROR_MILLIS`. */
  readonly drift: number;
}

/**
 * The maximum error of a clock. Machines follow a time server, and two clocks whose difference exceeds a lease would
 * let nodes take each other's rows. A limit is needed because a jump of the timeline lets a day pass at once.
 */
const MAX_ERROR_MILLIS = 1_500;

/** The maximum difference of the clocks of two nodes, in milliseconds. */
export const MAX_SKEW_MILLIS = 2 * MAX_ERROR_MILLIS;

/**
 * One life of a node, from its start to its crash. Its ports and its clock are behind a gate: after the crash no call
 * passes the gate, and during a pause answers and the ends of sleeps are withheld.
 */
export class Incarnation {
  readonly name: string;
  readonly scope = Scope.makeUnsafe();
  readonly cutOffFrom = new Set<FaultTarget>();
  /** The ports with calls that are not answered yet, and their number. */
  readonly calls = new Map<string, number>();
  readonly #timeline: Timeline;
  readonly #clockError: ClockError;
  readonly #waits = new Set<() => void>();
  readonly #withheld = new Set<() => void>();
  #isDead = false;
  #isPaused = false;
  #pauses = 0;

  constructor(name: string, timeline: Timeline, clockError: ClockError) {
    this.name = name;
    this.#timeline = timeline;
    this.#clockError = clockError;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Whether calls and answers pass the node's gate. */
  get isOpen(): boolean {
    return !this.#isDead && !this.#isPaused;
  }

  /** The number of the node's pending waits. */
  get waits(): number {
    return this.#waits.size + this.#withheld.size;
  }

  /** Returns the time of the node's own clock in epoch milliseconds. */
  readonly millis = (): number => {
    const { offset, drift } = this.#clockError;
    const { now } = this.#timeline;
    const error = offset + (now - TIMELINE_START) * (drift - 1);
    return Math.floor(now + Math.max(-MAX_ERROR_MILLIS, Math.min(MAX_ERROR_MILLIS, error)));
  };

  readonly clock: Clock.Clock = {
    currentTimeMillisUnsafe: this.millis,
    currentTimeMillis: Effect.sync(this.millis),
    currentTimeNanosUnsafe: () => nanos(this.millis()),
    currentTimeNanos: Effect.sync(() => nanos(this.millis())),
    monotonicTimeNanosUnsafe: () => nanos(this.millis()),
    monotonicTimeNanos: Effect.sync(() => nanos(this.millis())),
    sleep: (duration) => {
      const millis = Duration.toMillis(duration);
      return Number.isFinite(millis) ? this.wait(Math.max(0, millis) / this.#clockError.drift) : Effect.never;
    },
  };

  /**
   * Waits in true time. A wait that ends during a pause returns after the pause. A crash ends the current waits, but a
   * wait that begins later takes its full time; otherwise a loop of a dead node would spin at one instant while its
   * scope waits for a lock of another node.
   */
  wait(millis: number): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      const end = () => {
        if (this.#isPaused) return void this.#withheld.add(end);
        this.#waits.delete(end);
        resume(Effect.void);
      };
      this.#waits.add(end);
      const cancel = this.#timeline.after(Math.ceil(millis), end);
      return Effect.sync(() => {
        cancel();
        this.#waits.delete(end);
        this.#withheld.delete(end);
      });
    });
  }

  /** Lets a call or an answer through unless the node has ended or is paused. */
  readonly gate: Effect.Effect<void> = Effect.suspend(() => {
    if (this.#isDead) return Effect.die(new Error(`${this.name} crashed`));
    return this.#isPaused ? Effect.andThen(this.wait(0), this.gate) : Effect.void;
  });

  /** Pauses the node; returns the number of the pause. */
  pause(): number {
    this.#isPaused = true;
    return ++this.#pauses;
  }

  /** Returns whether no other pause began since this one. */
  isLastPause(pause: number): boolean {
    return this.#pauses === pause;
  }

  resume(): void {
    this.#isPaused = false;
    this.#release(this.#withheld);
  }

  /** Ends this life; returns the effect that closes its scope. */
  crash(): Effect.Effect<void> {
    this.#isDead = true;
    this.#isPaused = false;
    this.#release(this.#waits);
    this.#withheld.clear();
    return Scope.close(this.scope, Exit.void);
  }

  #release(ends: Set<() => void>): void {
    for (const end of ends) this.#timeline.soon(end);
    ends.clear();
  }
}

const nanos = (millis: number): bigint => BigInt(millis) * 1_000_000n;
