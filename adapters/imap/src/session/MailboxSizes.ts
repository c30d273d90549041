/** The maximum number of mailboxes whose sizes are kept. */
const MAX_MAILBOXES = 10_000;

/**
 * The maximum age of a size that is used. After many arrivals, an older size would make a FETCH return far too many
 * messages.
 */
const MAX_AGE_MILLIS = 120_000;

/**
 * The sizes of the mailboxes that were opened last, by account and server (`serverAccountOf`). With a size, the newest
 * messages are fetched in one write.
 */
export class MailboxSizes {
  readonly #sizes = new Map<string, { readonly size: number; readonly at: number }>();

  /** Stores the number of messages of a mailbox. */
  note(owner: string, path: string, size: number, now: number): void {
    const key = `${owner}\n${path}`;
    this.#sizes.delete(key);
    this.#sizes.set(key, { size, at: now });
    if (this.#sizes.size > MAX_MAILBOXES) this.#sizes.delete(this.#sizes.keys().next().value!);
  }

  /** Returns the number of messages of a mailbox; undefined if no recent size is stored. */
  of(owner: string, path: string, now: number): number | undefined {
    const known = this.#sizes.get(`${owner}\n${path}`);
    return known === undefined || now - known.at > MAX_AGE_MILLIS ? undefined : known.size;
  }
}
