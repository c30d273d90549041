import type { MessageSummary } from "@postern/core/mail";
import { type MessageContents, messageContents } from "./message-contents.ts";

const SYSTEM_FLAGS = ["\\Answered", "\\Flagged", "\\Deleted", "\\Seen", "\\Draft"];

/** A message in RFC 5322, or a function that makes it on first use. */
export type RawMessage = Uint8Array | (() => Uint8Array);

/** A message on the fake server: its bytes, and the data its mailbox adds. */
export class StoredMessage {
  readonly uid: number;
  /** INTERNALDATE as epoch milliseconds, whole seconds. */
  readonly arrivedAt: number;
  #raw: RawMessage;
  #flags: ReadonlySet<string>;
  #contents: MessageContents | undefined;
  readonly #flagged: () => void;

  constructor(
    uid: number,
    raw: RawMessage,
    arrivedAt: number,
    flags: Iterable<string>,
    flagged: () => void = () => {},
  ) {
    this.#flagged = flagged;
    this.uid = uid;
    this.#raw = typeof raw === "function" ? raw : served(raw);
    this.arrivedAt = Math.floor(arrivedAt / 1000) * 1000;
    this.#flags = flagSet(flags);
  }

  /** The message in RFC 5322 with CRLF line ends. */
  get raw(): Uint8Array {
    return (this.#raw = typeof this.#raw === "function" ? served(this.#raw()) : this.#raw);
  }

  /** System flags as RFC 9051 spells them, with their backslash; keywords unchanged. */
  get flags(): ReadonlySet<string> {
    return this.#flags;
  }

  /** Replaces the flags. System flags are case-insensitive; unknown ones are refused. */
  set flags(flags: Iterable<string>) {
    this.#flags = flagSet(flags);
    this.#flagged();
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
    };
  }
}

const flagSet = (flags: Iterable<string>): ReadonlySet<string> =>
  new Set(
    Array.from(flags, (flag) => {
      if (!flag.startsWith("\\")) return flag;
      const system = SYSTEM_FLAGS.find((known) => known.toLowerCase() === flag.toLowerCase());
      if (system === undefined) throw new Error(`${flag} is no flag to set`);
      return system;
    }),
  );

/** Converts line ends to CRLF, as servers serve and count them, and refuses an empty message. */
const served = (raw: Uint8Array): Uint8Array => {
  if (raw.length === 0) throw new Error("a message has at least one byte");
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString("latin1");
  return /(?<!\r)\n/.test(text) ? Buffer.from(text.replaceAll(/\r?\n/g, "\r\n"), "latin1") : raw;
};
