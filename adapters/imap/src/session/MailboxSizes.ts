/** How many mailboxes' sizes are remembered. */
const MOST = 10_000;

/** How long a size is used, in milliseconds. With an old size, after many arrivals, far more messages than wanted would be fetched. */
const TRUSTED = 120_000;

/**
 * The sizes of the mailboxes that were opened last, by account and server (`serverAccountOf`). With a size, the newest
 * messages are fetched in one write.
 */
export class MailboxSizes {
  readonly #sizes = new Map<string, { readonly size: number; readonly at: number }>();

  /** Remembers the number of messages of a mailbox. */
  note(owner: string, path: string, size: number, now: number): void {
    const key = `${owner}\n${path}`;
    this.#sizes.delete(key);
    this.#sizes.set(key, { size, at: now });
    if (this.#sizes.size > MOST) this.#sizes.delete(this.#sizes.keys().next().value!);
  }

  /** Returns the number of messages of a mailbox; undefined if nothing recent is known. */
  of(owner: string, path: string, now: number): number | undefined {
    const known = this.#sizes.get(`${owner}\n${path}`);
    return known === undefined || now - known.at > TRUSTED ? undefined : known.size;
  }
}
