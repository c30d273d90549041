import { type RawMessage, StoredMessage } from "./StoredMessage.ts";

/** A mailbox with the semantics of RFC 9051: UIDs only grow, and a recreated mailbox has a new UIDVALIDITY. */
export class Mailbox {
  readonly uidValidity: number;
  /** Whether the account may only list and read it. */
  isReadOnly = false;
  #uidNext = 1;
  #messages: Array<StoredMessage> = [];
  readonly #present = new Set<StoredMessage>();
  readonly #listeners = new Set<() => void>();
  #sessions = 0;
  #changes = 1n;

  constructor(uidValidity: number) {
    this.uidValidity = uidValidity;
  }

  get uidNext(): number {
    return this.#uidNext;
  }

  /** Grows with every change, like HIGHESTMODSEQ (RFC 7162). */
  get changes(): bigint {
    return this.#changes;
  }

  /** Oldest first. Arrivals are added to this array; a removal replaces it. */
  get messages(): ReadonlyArray<StoredMessage> {
    return this.#messages;
  }

  get unread(): number {
    return this.#messages.reduce((count, { flags }) => (flags.has("\\Seen") ? count : count + 1), 0);
  }

  /** Changes when the sessions with this mailbox selected are disconnected. */
  get session(): number {
    return this.#sessions;
  }

  has(message: StoredMessage): boolean {
    return this.#present.has(message);
  }

  find(uid: number): StoredMessage | undefined {
    return this.#messages.find((message) => message.uid === uid);
  }

  /** Adds a raw message; `arrivedAt` is its INTERNALDATE in epoch milliseconds, rounded down to seconds. */
  append(raw: RawMessage, arrivedAt: number, flags: Iterable<string> = []): StoredMessage {
    const message = new StoredMessage(this.#uidNext, raw, arrivedAt, flags, () => this.#tell());
    this.#uidNext++;
    this.#messages.push(message);
    this.#present.add(message);
    this.#tell();
    return message;
  }

  expunge(uids: Iterable<number>): void {
    const going = new Set(uids);
    for (const message of this.#messages) if (going.has(message.uid)) this.#present.delete(message);
    this.#messages = this.#messages.filter((message) => this.#present.has(message));
    this.#tell();
  }

  /** Calls a listener on every change; returns the function that removes it. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #tell(): void {
    this.#changes++;
    for (const listener of this.#listeners) listener();
  }

  /**
   * Moves messages to the end of another mailbox, with their flags and INTERNALDATE (RFC 6851); ignores unknown UIDs.
   */
  move(uids: Iterable<number>, to: Mailbox): ReadonlyArray<StoredMessage> {
    const wanted = new Set(uids);
    const going = this.#messages.filter(({ uid }) => wanted.has(uid));
    this.expunge(wanted);
    return going.map(({ raw, arrivedAt, flags }) => to.append(raw, arrivedAt, flags));
  }

  /** Disconnects the sessions with this mailbox selected, as servers do when it is deleted or renamed. */
  hangUp(): void {
    this.#sessions++;
    this.#tell();
  }
}
