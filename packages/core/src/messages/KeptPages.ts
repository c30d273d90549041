import type { MessageSummary } from "../mail/index.ts";
import type { QuietTime } from "../watch/neighbours.ts";
import type { InboxPage } from "./InboxPage.ts";
import type { MailboxState } from "./ports/MailboxReader.ts";

/** A page with the state of its mailbox. */
export interface KeptPage {
  readonly page: InboxPage;
  readonly state: MailboxState;
  /** When the mailbox was last known to be in that state; epoch milliseconds. */
  readonly confirmedAt: number;
  /** The quiet time of the INBOX in which the page was confirmed. */
  readonly quiet: QuietTime | undefined;
}

/** The memory that a message takes besides its text: its objects, and twice the fixed part of its encoded answer. */
const MESSAGE_BYTES = 1_200;

const bytesOfMessage = ({ threadId, subject, from, to, cc, attachments }: MessageSummary): number => {
  let characters = (threadId?.length ?? 0) + subject.length + 100 * attachments.length;
  for (const { name, address } of [...to, ...cc]) characters += name.length + address.length + 40;
  return MESSAGE_BYTES + 4 * (characters + (from?.name.length ?? 0) + (from?.address.length ?? 0));
};

/** Returns the estimated memory of a page with its encoded answer, in bytes. */
const bytesOf = ({ emails }: InboxPage): number =>
  emails.reduce((bytes, { message }) => bytes + bytesOfMessage(message), MESSAGE_BYTES);

/** The time in milliseconds after which an unused page is removed. */
const UNUSED_MILLIS = 600_000;

/** Pages by key, up to a total number of bytes. The least recently used page is removed first. */
export class KeptPages {
  readonly #limit: number;
  readonly #pages = new Map<string, KeptPage & { readonly bytes: number }>();
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The estimated memory of all pages, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): KeptPage | undefined {
    const kept = this.#pages.get(key);
    if (kept === undefined) return undefined;
    this.#pages.delete(key);
    this.#pages.set(key, kept);
    return kept;
  }

  set(key: string, kept: KeptPage): void {
    const before = this.#pages.get(key);
    const bytes = before?.page === kept.page ? before.bytes : bytesOf(kept.page);
    this.#remove(key);
    if (bytes > this.#limit) return;
    this.#pages.set(key, { ...kept, bytes });
    this.#bytes += bytes;
    for (const [oldest, { confirmedAt }] of this.#pages) {
      if (this.#bytes <= this.#limit && confirmedAt > kept.confirmedAt - UNUSED_MILLIS) break;
      this.#remove(oldest);
    }
  }

  clear(): void {
    this.#pages.clear();
    this.#bytes = 0;
  }

  #remove(key: string): void {
    this.#bytes -= this.#pages.get(key)?.bytes ?? 0;
    this.#pages.delete(key);
  }
}
