import type { FolderRole } from "@postern/core";
import { Mailbox } from "./Mailbox.ts";

export const DELIMITER = "/";

const SPECIAL: ReadonlyArray<readonly [path: string, role: FolderRole]> = [
  ["INBOX", "inbox"],
  ["Sent", "sent"],
  ["Drafts", "drafts"],
  ["Junk", "junk"],
  ["Trash", "trash"],
];

const ROLES = new Map(SPECIAL);

/** A name of the account; null in place of a mailbox is a `\Noselect` name that only holds others. */
export interface NamedMailbox {
  readonly path: string;
  readonly role: FolderRole | null;
  readonly mailbox: Mailbox | null;
}

/** The mailboxes of one account, named as on a real server: INBOX in any case, and parents that only hold others. */
export class MailAccount {
  readonly #mailboxes = new Map<string, Mailbox>();
  readonly #nextUidValidity: () => number;

  constructor(nextUidValidity: () => number) {
    this.#nextUidValidity = nextUidValidity;
    for (const [path] of SPECIAL) this.create(path);
  }

  /** Special folders first, then the others by name, each after the folder it lies in. */
  list(): ReadonlyArray<NamedMailbox> {
    const paths = new Set([...this.#mailboxes.keys()].flatMap(withParents));
    const special = SPECIAL.map(([path]) => path).filter((path) => paths.delete(path));
    return [...special, ...[...paths].toSorted()].map((path) => ({
      path,
      role: ROLES.get(path) ?? null,
      mailbox: this.#mailboxes.get(path) ?? null,
    }));
  }

  /** What bears this name, if anything does. */
  find(path: string): NamedMailbox | undefined {
    const wanted = path.toUpperCase() === "INBOX" ? "INBOX" : path;
    return this.list().find((named) => named.path === wanted);
  }

  create(path: string): Mailbox {
    if (this.#mailboxes.has(path)) throw new Error(`${path} exists`);
    const mailbox = new Mailbox(this.#nextUidValidity());
    this.#mailboxes.set(path, mailbox);
    return mailbox;
  }

  /** Children stay, below a name that then only holds them. */
  delete(path: string): void {
    if (!this.#mailboxes.delete(path)) throw new Error(`${path} does not exist`);
  }

  /** Moves a mailbox and all below it; UIDVALIDITY and UIDs stay. */
  rename(from: string, to: string): void {
    if (this.find(to) !== undefined) throw new Error(`${to} exists`);
    for (const [path, mailbox] of [...this.#mailboxes]) {
      if (path !== from && !path.startsWith(from + DELIMITER)) continue;
      this.#mailboxes.delete(path);
      this.#mailboxes.set(to + path.slice(from.length), mailbox);
    }
  }
}

const withParents = (path: string): ReadonlyArray<string> =>
  path.split(DELIMITER).map((_, n, parts) => parts.slice(0, n + 1).join(DELIMITER));
