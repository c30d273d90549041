import { type FolderRole, labelsOf, type MailboxCursor, type MessageSummary } from "@postern/core/mail";
import { type MessageContents, messageContents } from "./message-contents.ts";

/** The names of INBOX and the special folders, with their roles. */
export const ROLES = new Map<string, FolderRole>([
  ["INBOX", "inbox"],
  ["Sent", "sent"],
  ["Drafts", "drafts"],
  ["Junk", "junk"],
  ["Trash", "trash"],
]);

const SYSTEM_FLAGS = ["\\Answered", "\\Flagged", "\\Deleted", "\\Seen", "\\Draft"];

/** A message in RFC 5322, or a function that makes it on first use. */
export type RawMessage = Uint8Array | (() => Uint8Array);

/** A message on the fake server: its bytes, and the data its mailbox adds. */
class StoredMessage {
  readonly uid: number;
  /** INTERNALDATE as epoch milliseconds, whole seconds. */
  readonly arrivedAt: number;
  #raw: RawMessage;
  #flags: ReadonlySet<string>;
  #contents: MessageContents | undefined;
  readonly #flagged: () => void;
  readonly #spell: (keyword: string) => string;

  constructor(
    uid: number,
    raw: RawMessage,
    arrivedAt: number,
    flags: Iterable<string>,
    flagged: () => void = () => {},
    spell: (keyword: string) => string = (keyword) => keyword,
  ) {
    this.#flagged = flagged;
    this.#spell = spell;
    this.uid = uid;
    this.#raw = typeof raw === "function" ? raw : toServedBytes(raw);
    this.arrivedAt = Math.floor(arrivedAt / 1000) * 1000;
    this.#flags = this.#flagSet(flags);
  }

  /** The message in RFC 5322 with CRLF line ends. */
  get raw(): Uint8Array {
    return (this.#raw = typeof this.#raw === "function" ? toServedBytes(this.#raw()) : this.#raw);
  }

  /** System flags as RFC 9051 spells them, with their backslash; keywords unchanged. */
  get flags(): ReadonlySet<string> {
    return this.#flags;
  }

  /** Replaces the flags. Flags are case-insensitive; unknown system flags are refused. */
  set flags(flags: Iterable<string>) {
    this.#flags = this.#flagSet(flags);
    this.#flagged();
  }

  #flagSet(flags: Iterable<string>): ReadonlySet<string> {
    return new Set(Array.from(flags, (flag) => (flag.startsWith("\\") ? systemFlag(flag) : this.#spell(flag))));
  }

  /** The summary for listings, parsed on first use. */
  get summary(): MessageSummary {
    const contents = (this.#contents ??= messageContents(this.raw));
    return {
      ...contents,
      uid: this.uid,
      arrivedAt: this.arrivedAt,
      unread: !this.flags.has("\\Seen"),
      flagged: this.flags.has("\\Flagged"),
      answered: this.flags.has("\\Answered"),
      draft: this.flags.has("\\Draft"),
      labels: labelsOf(this.flags),
    };
  }
}

const systemFlag = (flag: string): string => {
  const system = SYSTEM_FLAGS.find((known) => known.toLowerCase() === flag.toLowerCase());
  if (system === undefined) throw new Error(`${flag} is no flag to set`);
  return system;
};

/** Converts line ends to CRLF, as servers serve and count them, and refuses an empty message. */
const toServedBytes = (raw: Uint8Array): Uint8Array => {
  if (raw.length === 0) throw new Error("a message has at least one byte");
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString("latin1");
  return /(?<!\r)\n/.test(text) ? Buffer.from(text.replaceAll(/\r?\n/g, "\r\n"), "latin1") : raw;
};

export type { StoredMessage };

/** A mailbox with the semantics of RFC 9051: UIDs only grow, and a recreated mailbox has a new UIDVALIDITY. */
export class Mailbox {
  readonly uidValidity: number;
  /** Whether the account may only list and read the mailbox. */
  isReadOnly = false;
  /** Whether the server refuses access to the mailbox, like a server with a temporarily broken index. */
  isClosed = false;
  /** How long a search of the mailbox takes, in milliseconds. */
  searchMillis = 0;
  #uidNext = 1;
  #messages: Array<StoredMessage> = [];
  readonly #present = new Set<StoredMessage>();
  readonly #listeners = new Set<() => void>();
  #sessions = 0;
  #changes = 1n;
  /** Keywords in their first spelling, by their lower-case form. Like Dovecot, the mailbox never forgets a keyword. */
  readonly #keywords = new Map<string, string>();

  constructor(uidValidity: number) {
    this.uidValidity = uidValidity;
  }

  get uidNext(): number {
    return this.#uidNext;
  }

  /** A number that grows with every change, like HIGHESTMODSEQ (RFC 7162). */
  get changes(): bigint {
    return this.#changes;
  }

  /** The cursor where a watch begins. The fake server has no modification sequences. */
  get cursor(): MailboxCursor {
    return { uidValidity: this.uidValidity, uidNext: this.#uidNext, highestModSeq: null };
  }

  /** The messages, oldest first. Arrivals are added to this array; a removal replaces the array. */
  get messages(): ReadonlyArray<StoredMessage> {
    return this.#messages;
  }

  get unread(): number {
    return this.#messages.reduce((count, { flags }) => (flags.has("\\Seen") ? count : count + 1), 0);
  }

  get keywords(): Iterable<string> {
    return this.#keywords.values();
  }

  /** A number that changes when the sessions with this mailbox selected are disconnected. */
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
    const message = new StoredMessage(
      this.#uidNext,
      raw,
      arrivedAt,
      flags,
      () => this.#tell(),
      (keyword) => this.#spell(keyword),
    );
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

  #spell(keyword: string): string {
    const folded = keyword.toLowerCase();
    const known = this.#keywords.get(folded) ?? keyword;
    this.#keywords.set(folded, known);
    return known;
  }

  #tell(): void {
    this.#changes++;
    for (const listener of this.#listeners) listener();
  }

  /** Moves messages to the end of another mailbox, with their flags and INTERNALDATE (RFC 6851); ignores unknown UIDs. */
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

/** A name in the account, with its mailbox; null for a `\Noselect` name that only contains other names. */
export interface NamedMailbox {
  readonly path: string;
  readonly role: FolderRole | null;
  readonly mailbox: Mailbox | null;
}
