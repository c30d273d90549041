/** Failures after which a message is not tried again ("MIME"). */
const MOST_FAILURES = 3;

/** Messages whose failures are remembered; of more, the oldest are forgotten. */
const REMEMBERED = 10_000;

/**
 * Which messages failed so often that they are not tried again. Kept by this process alone: after a restart a message
 * may fail three times more, each within the bounds of a worker.
 */
export class Quarantine {
  readonly #failures = new Map<string, number>();

  holds(key: string): boolean {
    return (this.#failures.get(key) ?? 0) >= MOST_FAILURES;
  }

  failed(key: string): void {
    const count = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.delete(key);
    this.#failures.set(key, count);
    if (this.#failures.size > REMEMBERED) this.#failures.delete(this.#failures.keys().next().value!);
  }
}
