import { Effect } from "effect";
import type { ForeignAct } from "./foreign-acts.ts";

/** The changes that other clients can make on a mail server. */
export interface ForeignServer {
  /** Appends a message with this subject; returns its UID. */
  readonly append: (path: string, subject: string, client: 0 | 1) => Effect.Effect<number>;
  /** Replaces the flags of a message. */
  readonly flag: (path: string, uid: number, flags: ReadonlyArray<string>, client: 0 | 1) => Effect.Effect<void>;
  /** Moves or copies a message; returns its new UID. */
  readonly move: (path: string, uid: number, to: string, client: 0 | 1) => Effect.Effect<number>;
  readonly copy: (path: string, uid: number, to: string, client: 0 | 1) => Effect.Effect<number>;
  readonly expunge: (path: string, uid: number, client: 0 | 1) => Effect.Effect<void>;
  readonly rename: (path: string, to: string, client: 0 | 1) => Effect.Effect<void>;
  /** Gives a folder another UIDVALIDITY, and returns its messages; undefined if the server cannot. */
  readonly renumber: (path: string) => Effect.Effect<ReadonlyArray<ForeignMessage> | undefined>;
}

/** A message in a folder. */
export interface ForeignMessage {
  readonly uid: number;
  readonly subject: string;
  flags: ReadonlySet<string>;
}

/** A folder with its messages, in the order of their UIDs. */
export interface ForeignFolder {
  path: string;
  /** Whether the folder cannot be renamed. */
  readonly isSpecial: boolean;
  messages: Array<ForeignMessage>;
}

const FLAGS = ["\\Seen", "\\Flagged", "\\Answered", "Project"];
/** The size of a folder above which it gets no other UIDVALIDITY. */
const MAX_RENUMBERED_MESSAGES = 100;

/**
 * The expected state of a mailbox after the changes of two other clients, with which all answers of the service are
 * compared.
 */
export class ForeignMail {
  readonly folders: ReadonlyArray<ForeignFolder>;
  /** The subjects of the messages that existed before the account was followed. */
  readonly before = new Set<string>();
  /** The subjects of messages that moved, and of those that were copied. */
  readonly moved = new Set<string>();
  readonly copied = new Set<string>();
  #subjects = 0;
  #names = 0;
  readonly #server: ForeignServer;

  constructor(server: ForeignServer, special: ReadonlyArray<string>, others: ReadonlyArray<string>) {
    this.#server = server;
    const folder = (path: string, isSpecial: boolean): ForeignFolder => ({ path, isSpecial, messages: [] });
    this.folders = [...special.map((path) => folder(path, true)), ...others.map((path) => folder(path, false))];
  }

  /** Returns all messages, each with its folder. */
  get all(): ReadonlyArray<{ readonly folder: ForeignFolder; readonly message: ForeignMessage }> {
    return this.folders.flatMap((folder) => folder.messages.map((message) => ({ folder, message })));
  }

  append(folder: ForeignFolder, client: 0 | 1 = 0): Effect.Effect<string> {
    const subject = `m${String(this.#subjects++).padStart(5, "0")}`;
    return Effect.map(this.#server.append(folder.path, subject, client), (uid) => {
      folder.messages.push({ uid, subject, flags: new Set() });
      return subject;
    });
  }

  /** Carries out an act, if a suitable folder and message exist. */
  act({ kind, client, ...numbers }: ForeignAct): Effect.Effect<void> {
    const pick = <A>(some: ReadonlyArray<A>, number: number) => some[number % Math.max(1, some.length)];
    if (kind === "append") return Effect.asVoid(this.append(pick(this.folders, numbers.folder)!, client));
    if (kind === "rename" || kind === "renumber") {
      const named = pick(
        this.folders.filter(({ isSpecial, messages }) =>
          kind === "rename" ? !isSpecial : messages.length <= MAX_RENUMBERED_MESSAGES,
        ),
        numbers.folder,
      );
      if (named === undefined) return Effect.void;
      return kind === "rename" ? this.#rename(named, client) : this.#renumber(named);
    }
    const one = pick(this.all, numbers.message);
    if (one === undefined) return Effect.void;
    const { folder, message } = one;
    if (kind === "flag") return this.#flag(folder, message, FLAGS[numbers.flag % FLAGS.length]!, client);
    if (kind === "expunge") {
      return Effect.map(this.#server.expunge(folder.path, message.uid, client), () => remove(folder, message));
    }
    const to = pick(
      this.folders.filter((other) => other !== folder),
      numbers.to,
    )!;
    return Effect.map(this.#server[kind](folder.path, message.uid, to.path, client), (uid) => {
      to.messages.push({ ...message, uid });
      if (kind === "move") remove(folder, message);
      (kind === "move" ? this.moved : this.copied).add(message.subject);
    });
  }

  #flag(folder: ForeignFolder, message: ForeignMessage, flag: string, client: 0 | 1) {
    const others = [...message.flags].filter((one) => one !== flag);
    const flags = new Set(others.length < message.flags.size ? others : [...others, flag]);
    return Effect.map(this.#server.flag(folder.path, message.uid, [...flags], client), () => {
      message.flags = flags;
    });
  }

  #rename(folder: ForeignFolder, client: 0 | 1) {
    const to = `Renamed ${this.#names++}`;
    return Effect.map(this.#server.rename(folder.path, to, client), () => {
      folder.path = to;
    });
  }

  #renumber(folder: ForeignFolder) {
    return Effect.map(this.#server.renumber(folder.path), (messages) => {
      if (messages !== undefined) folder.messages = [...messages];
    });
  }
}

const remove = (folder: ForeignFolder, message: ForeignMessage): void => {
  folder.messages = folder.messages.filter((one) => one !== message);
};

/** Returns a message with this subject, whose size and Message-ID depend on it. */
export const foreignMessage = (subject: string, to: string): string =>
  `From: "Ann" <ann@example.org>\r\nTo: ${to}\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@foreign.test>\r\n\r\n${"x".repeat(Number(subject.slice(1)) % 40)}\r\n`;
