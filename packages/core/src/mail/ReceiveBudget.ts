/** The lines and bytes of unsolicited data that a peer may send in one exchange and in one second. */
export interface Surplus {
  readonly lines: number;
  readonly bytes: number;
}

const SECOND = 1_000;

/** The maximum size in bytes of a short line, such as `* 12 EXISTS` or a list of flags. */
const SHORT_LINE_BYTES = 1_024;

interface Spent {
  lines: number;
  bytes: number;
}

const add = (spent: Spent, lines: number, bytes: number): void => {
  spent.lines = Math.max(0, spent.lines + lines);
  spent.bytes = Math.max(0, spent.bytes + bytes);
};

/**
 * The budget of one connection for the data that its peer sends (spec 10.4). Unsolicited responses may precede the
 * requested ones, so a short line counts as surplus until the exchange ends. Times in milliseconds.
 */
export class ReceiveBudget {
  /** The limits for an exchange and for a second. They suffice for the responses after another client changed a whole mailbox. */
  static readonly SURPLUS: Surplus = { lines: 10_000, bytes: 4 << 20 };

  readonly #surplus: Surplus;
  #asked = 0;
  #answered = 0;
  #exchange: Spent = { lines: 0, bytes: 0 };
  #short: Spent = { lines: 0, bytes: 0 };
  #second: Spent = { lines: 0, bytes: 0 };
  #until = 0;

  constructor(surplus: Surplus = ReceiveBudget.SURPLUS) {
    this.#surplus = surplus;
  }

  /** Begins an exchange: one command, or several sent together. */
  begin(): void {
    const { lines, bytes } = this.#short;
    const wereAsked = Math.min(lines, this.#asked - this.#answered);
    if (wereAsked > 0) add(this.#second, -wereAsked, (-bytes / lines) * wereAsked);
    this.#answered = 0;
    this.#exchange = { lines: 0, bytes: 0 };
    this.#short = { lines: 0, bytes: 0 };
  }

  /** Counts a line; `asked` is the number of lines that the exchange requests. Returns whether the line is within the budget. */
  take(bytes: number, asked: number, now: number): boolean {
    this.#asked = asked;
    if (bytes <= SHORT_LINE_BYTES && this.#spend(bytes, now)) {
      add(this.#short, 1, bytes);
      return true;
    }
    if (this.#answered < asked) {
      this.#answered++;
      return true;
    }
    return this.#spend(bytes, now);
  }

  #spend(bytes: number, now: number): boolean {
    if (now >= this.#until || now < this.#until - SECOND) {
      this.#second = { lines: 0, bytes: 0 };
      this.#until = now + SECOND;
    }
    const both = [this.#exchange, this.#second];
    const most = this.#surplus;
    if (both.some((spent) => spent.lines >= most.lines || spent.bytes + bytes > most.bytes)) return false;
    for (const spent of both) add(spent, 1, bytes);
    return true;
  }
}
