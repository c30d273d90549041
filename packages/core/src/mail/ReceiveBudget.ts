/** Lines and bytes beyond what was asked for that a peer may send in one exchange, and in one second. */
export interface Surplus {
  readonly lines: number;
  readonly bytes: number;
}

/** For an exchange, and for a second: news of a mailbox that another client changes at once. */
export const SURPLUS: Surplus = { lines: 10_000, bytes: 4 << 20 };

const SECOND = 1_000;

/** The budget of one connection for what its peer sends (spec 10.4). Times in milliseconds. */
export class ReceiveBudget {
  readonly #surplus: Surplus;
  #answered = 0;
  readonly #exchange = { lines: 0, bytes: 0 };
  readonly #second = { lines: 0, bytes: 0, until: 0 };

  constructor(surplus: Surplus = SURPLUS) {
    this.#surplus = surplus;
  }

  /** Begins an exchange: a command was sent, or several at once. */
  begin(): void {
    this.#answered = 0;
    this.#exchange.lines = 0;
    this.#exchange.bytes = 0;
  }

  /** Counts a line; `asked` is how many lines the exchange asks for. Returns whether it is within the budget. */
  take(bytes: number, asked: number, now: number): boolean {
    if (this.#answered < asked) {
      this.#answered++;
      return true;
    }
    if (now >= this.#second.until || now < this.#second.until - SECOND) {
      this.#second.lines = 0;
      this.#second.bytes = 0;
      this.#second.until = now + SECOND;
    }
    return [this.#exchange, this.#second].every((spent) => {
      spent.lines++;
      spent.bytes += bytes;
      return spent.lines <= this.#surplus.lines && spent.bytes <= this.#surplus.bytes;
    });
  }
}
