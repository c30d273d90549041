import type { Scheduler } from "effect";
import type { SeededRandom } from "./SeededRandom.ts";

/** The error of a simulation whose tasks at one instant never end. */
export class LivelockError extends Error {}

/** An entry that is due at a true time; `run` is null once it is cancelled. */
interface Due {
  readonly at: number;
  /** The number that decides between entries that are due at the same time. */
  readonly number: number;
  run: (() => void) | null;
}

/** The start of every simulation: 2026-01-01T00:00:00Z, in epoch milliseconds. */
export const TIMELINE_START = Date.UTC(2026, 0, 1);

/** Maximum number of tasks at one instant; more count as a livelock. Seeds have up to 200. */
const MAX_AT_ONE_INSTANT = 5_000;

/**
 * The true time of a simulation. All fibers of all nodes share one queue of tasks, which runs until it is empty, in an
 * order that the seed decides; then time jumps to the next entry of the heap. No fiber waits for the host.
 */
export class Timeline {
  now = TIMELINE_START;
  readonly #order: SeededRandom;
  readonly #tasks: Array<() => void> = [];
  readonly #heap: Array<Due> = [];
  #number = 0;

  constructor(order: SeededRandom) {
    this.#order = order;
  }

  /** The scheduler of every fiber in the simulation. */
  readonly scheduler: Scheduler.Scheduler = {
    executionMode: "async",
    shouldYield: () => false,
    makeDispatcher: () => ({ scheduleTask: (task) => this.soon(task), flush: () => {} }),
  };

  /** Runs a task at the present instant, among the others. */
  soon(task: () => void): void {
    this.#tasks.push(task);
  }

  /** Runs a function at a true time; returns the function that cancels it. */
  at(time: number, run: () => void): () => void {
    const due: Due = { at: Math.max(time, this.now), number: ++this.#number, run };
    this.#push(due);
    return () => void (due.run = null);
  }

  after(millis: number, run: () => void): () => void {
    return this.at(this.now + millis, run);
  }

  /** Lets time pass until `end`, or until `stop` is true between two instants. */
  runUntil(end: number, stop: () => boolean = () => false): void {
    for (;;) {
      this.#drain();
      const next = this.#heap[0];
      if (stop()) return;
      if (next === undefined || next.at > end) break;
      this.#pop();
      if (next.run === null) continue;
      this.now = Math.max(this.now, next.at);
      next.run();
    }
    this.now = Math.max(this.now, end);
  }

  /**
   * Advances the time without running the work that falls due in between, which then runs late, as after a suspension
   * of all machines.
   */
  skipTo(time: number): void {
    this.now = Math.max(this.now, time);
  }

  #drain(): void {
    for (let count = 0; this.#tasks.length > 0; count++) {
      if (count > MAX_AT_ONE_INSTANT) throw new LivelockError();
      const chosen = this.#order.between(0, this.#tasks.length);
      const task = this.#tasks[chosen]!;
      this.#tasks[chosen] = this.#tasks.at(-1)!;
      this.#tasks.pop();
      task();
    }
  }

  #push(due: Due): void {
    const heap = this.#heap;
    let child = heap.push(due) - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!isBefore(due, heap[parent]!)) break;
      heap[child] = heap[parent]!;
      child = parent;
    }
    heap[child] = due;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let parent = 0;
    for (;;) {
      let child = 2 * parent + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[parent] = heap[child]!;
      parent = child;
    }
    heap[parent] = last;
  }
}

const isBefore = (one: Due, other: Due): boolean =>
  one.at < other.at || (one.at === other.at && one.number < other.number);
