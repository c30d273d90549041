import type { MailServerError } from "@postern/core/mail";

const FIRST = 100;
const LONGEST = 2_000;

/** Spares a server that cannot be reached: after a failure nothing is tried for a while. Times in epoch milliseconds. */
export class Backoff {
  #failures = 0;
  #until = 0;
  #last: MailServerError | undefined;

  /** What the last attempt came to, while it is too early for another. */
  standing(now: number): MailServerError | undefined {
    return now < this.#until ? this.#last : undefined;
  }

  /** `jitter` from 0 to 1 keeps many waiting clients from coming back at once. */
  failed(error: MailServerError, now: number, jitter: number): void {
    const wait = Math.min(FIRST * 2 ** this.#failures++, LONGEST);
    this.#until = now + wait * (0.5 + jitter / 2);
    this.#last = error;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#until = 0;
  }
}
