import type { MailboxObject } from "imapflow";

const FLAGS = /^\* FLAGS \(([^()]*)\)/i;
const COUNT = /^\* (\d{1,10}) (EXISTS|RECENT)\b/i;
const CODE = /^\* OK \[(\w+)(?: (?:\(([^()]*)\)|(\d{1,20})))?\]/i;

/** Maximum size of a response that is read; a mailbox may have thousands of keywords. */
const MAX_TEXT = 256 << 10;

/** Collects the responses about a mailbox that a server sends in answer to SELECT (RFC 9051, 6.3.2). */
export class SelectedMailbox {
  readonly #mailbox: Partial<Record<keyof MailboxObject, unknown>>;

  constructor(path: string) {
    this.#mailbox = { path };
  }

  /** Reads a response; returns whether it was about the mailbox. */
  take(payload: Buffer): boolean {
    const text = payload.toString("latin1", 0, MAX_TEXT);
    const flags = FLAGS.exec(text)?.[1];
    if (flags !== undefined) {
      this.#mailbox.flags = wordsOf(flags);
      return true;
    }
    const [, count, counted] = COUNT.exec(text) ?? [];
    if (count !== undefined) {
      if (counted!.toUpperCase() === "EXISTS") this.#mailbox.exists = Number(count);
      return true;
    }
    const [, code, list, number] = CODE.exec(text) ?? [];
    return code !== undefined && this.#takeCode(code.toUpperCase(), list, number);
  }

  /** Whether the server has reported the number of messages and UIDVALIDITY. */
  get isWhole(): boolean {
    return this.#mailbox.exists !== undefined && this.#mailbox.uidValidity !== undefined;
  }

  /** Returns the mailbox by the answer to its SELECT; `said` is the text behind the tag. */
  selected(said: string): MailboxObject {
    const access = /^OK \[(READ-ONLY|READ-WRITE)\]/i.exec(said)?.[1]?.toUpperCase();
    if (access !== undefined) this.#mailbox.readOnly = access === "READ-ONLY";
    return this.#mailbox as unknown as MailboxObject;
  }

  #takeCode(code: string, list: string | undefined, number: string | undefined): boolean {
    if (code === "UIDVALIDITY" && number !== undefined) this.#mailbox.uidValidity = BigInt(number);
    else if (code === "HIGHESTMODSEQ" && number !== undefined) this.#mailbox.highestModseq = BigInt(number);
    else if (code === "UIDNEXT" && number !== undefined) this.#mailbox.uidNext = Number(number);
    else if (code === "PERMANENTFLAGS" && list !== undefined) this.#mailbox.permanentFlags = wordsOf(list);
    else if (code === "NOMODSEQ") this.#mailbox.noModseq = true;
    else return code === "UNSEEN" || code === "CLOSED";
    return true;
  }
}

const wordsOf = (list: string): Set<string> => new Set(list.split(" ").filter(Boolean));
