/** The number of failures after which a message is no longer parsed. */
const MAX_FAILURES = 3;

/** Maximum number of messages whose failures are counted; the oldest are dropped. */
const MAX_REMEMBERED = 10_000;

/**
 * Counts the failures of messages and excludes messages that failed too often. The counts are in memory: after a
 * restart a message may fail three more times, each within a worker's limits.
 */
export class Quarantine {
  readonly #failures = new Map<string, number>();

  holds(key: string): boolean {
    return (this.#failures.get(key) ?? 0) >= MAX_FAILURES;
  }

  failed(key: string): void {
    const count = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.delete(key);
    this.#failures.set(key, count);
    if (this.#failures.size > MAX_REMEMBERED) this.#failures.delete(this.#failures.keys().next().value!);
  }
}
