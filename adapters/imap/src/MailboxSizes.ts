import type { AccountId } from "@postern/core/shared";

/** Mailboxes whose size is remembered. */
const MOST = 10_000;

/** Milliseconds for which a size is trusted: where much mail arrived meanwhile, much more than wanted would be fetched. */
const TRUSTED = 120_000;

/** The sizes of the mailboxes that were opened last, from which the position of the newest messages is guessed. */
export class MailboxSizes {
  readonly #sizes = new Map<string, { readonly size: number; readonly at: number }>();

  /** Remembers the number of messages of a mailbox. */
  note(account: AccountId, path: string, size: number, now: number): void {
    const key = `${account}\n${path}`;
    this.#sizes.delete(key);
    this.#sizes.set(key, { size, at: now });
    if (this.#sizes.size > MOST) this.#sizes.delete(this.#sizes.keys().next().value!);
  }

  /** Returns the position from which on the newest messages probably are; undefined if nothing is known. */
  start(account: AccountId, path: string, count: number, now: number): number | undefined {
    const known = this.#sizes.get(`${account}\n${path}`);
    if (known === undefined || known.size === 0 || now - known.at > TRUSTED) return undefined;
    return Math.max(1, known.size - count + 1);
  }
}
