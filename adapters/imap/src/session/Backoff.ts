import type { MailServerError } from "@postern/core/mail";

const FIRST_WAIT_MILLIS = 100;
const MAX_WAIT_MILLIS = 2_000;
/**
 * The first delay after a refusal without a reason. Such a credential is tried rarely, because servers lock accounts
 * after some wrong attempts.
 */
const FIRST_UNCLEAR_MILLIS = 5_000;
const MAX_UNCLEAR_MILLIS = 45_000;

/** Delays new attempts to reach a server after a failure. Times in epoch milliseconds. */
export class Backoff {
  #failures = 0;
  #unclear = 0;
  #until = 0;
  #last: MailServerError | undefined;

  /** Returns the error of the last attempt until the next one is allowed. */
  standing(now: number): MailServerError | undefined {
    return now < this.#until ? this.#last : undefined;
  }

  /** Records a failure. `jitter` from 0 to 1 spreads the retries of many clients. */
  failed(error: MailServerError, now: number, jitter: number): void {
    const wait =
      error.reason === "sign_in_unclear"
        ? Math.min(FIRST_UNCLEAR_MILLIS * 3 ** this.#unclear++, MAX_UNCLEAR_MILLIS)
        : Math.min(FIRST_WAIT_MILLIS * 2 ** this.#failures++, MAX_WAIT_MILLIS);
    this.#until = now + wait * (0.5 + jitter / 2);
    this.#last = error;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#unclear = 0;
    this.#until = 0;
  }
}
