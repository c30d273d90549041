import type { FolderRole } from "@postern/core/mail";
import { Mailbox } from "./Mailbox.ts";

export const DELIMITER = "/";

const ROLES = new Map<string, FolderRole>([
  ["INBOX", "inbox"],
  ["Sent", "sent"],
  ["Drafts", "drafts"],
  ["Junk", "junk"],
  ["Trash", "trash"],
]);

/** A name of the account; null in place of a mailbox is a `\Noselect` name that only holds others. */
export interface NamedMailbox {
  readonly path: string;
  readonly role: FolderRole | null;
  readonly mailbox: Mailbox | null;
}

/**
 * The mailboxes of one account, named as Dovecot names them. INBOX and the special folders are always there: the
 * others of them are recreated when deleted or renamed. What a server would refuse with NO is thrown.
 */
export class MailAccount {
  readonly #names = new Map<string, Mailbox | null>();
  /** Of those the special folders do not have. */
  readonly #roles = new WeakMap<Mailbox, FolderRole>();
  readonly #nextUidValidity: () => number;

  /** Bytes of mail it may have. */
  readonly #quota: number;

  constructor(nextUidValidity: () => number, quota = Infinity) {
    this.#quota = quota;
    this.#nextUidValidity = nextUidValidity;
    this.#makeSpecial();
  }

  /** INBOX and the special folders first, then the others by name, each after the folder it lies in. */
  list(): ReadonlyArray<NamedMailbox> {
    const others = [...this.#names.keys()].filter((path) => !ROLES.has(path)).toSorted();
    return [...ROLES.keys(), ...others].map((path) => this.#named(path, this.#names.get(path) ?? null));
  }

  /** The mailbox of this name, if there is one. */
  find(path: string): NamedMailbox | undefined {
    const known = canonical(path);
    const mailbox = this.#names.get(known);
    return mailbox === undefined ? undefined : this.#named(known, mailbox);
  }

  /** Whether a new message of this many bytes is within the quota; one that only moves is counted already. */
  hasRoomFor(bytes: number): boolean {
    if (this.#quota === Infinity) return true;
    const messages = [...this.#names.values()].flatMap((mailbox) => mailbox?.messages ?? []);
    return messages.reduce((used, { raw }) => used + raw.length, bytes) <= this.#quota;
  }

  /** The mailbox of this name; one that is missing or `\Noselect` is an error of the caller. */
  mailbox(path: string): Mailbox {
    return this.find(path)?.mailbox ?? refuse(`${path} is no mailbox`);
  }

  /** Makes a mailbox, and the names it lies in; one for a role that a mailbox has already is made without it. */
  create(path: string, role?: FolderRole): Mailbox {
    const name = validName(path);
    if (this.#names.get(name)) refuse(`${name} exists`);
    const mailbox = new Mailbox(this.#nextUidValidity());
    this.#makeParents(name);
    const isFree = role !== undefined && this.list().every((other) => other.role !== role);
    this.#names.set(name, mailbox);
    if (isFree) this.#roles.set(mailbox, role);
    return mailbox;
  }

  /** Children stay, below a name that then only holds them; such a name goes once it holds none. */
  delete(path: string): void {
    const name = canonical(path);
    const mailbox = this.#names.get(name);
    if (mailbox === undefined) refuse(`${name} does not exist`);
    if (name === "INBOX") refuse("INBOX cannot be deleted");
    const holdsOthers = this.#below(name).length > 0;
    if (mailbox === null && holdsOthers) refuse(`${name} has children`);
    if (holdsOthers) this.#names.set(name, null);
    else this.#names.delete(name);
    mailbox?.hangUp();
    this.#makeSpecial();
  }

  /** Moves a mailbox and all below it; UIDVALIDITY and UIDs stay. Names that held nothing else vanish. */
  rename(from: string, to: string): void {
    const [source, target] = [canonical(from), validName(to)];
    if (!this.#names.has(source)) refuse(`${source} does not exist`);
    if (source === "INBOX") refuse("INBOX cannot be renamed");
    if (this.#names.has(target)) refuse(`${target} exists`);
    if (target.startsWith(source + DELIMITER)) refuse(`${target} lies in ${source}`);
    for (const path of [source, ...this.#below(source)]) {
      const mailbox = this.#names.get(path)!;
      this.#names.delete(path);
      this.#names.set(target + path.slice(source.length), mailbox);
      mailbox?.hangUp();
    }
    this.#makeParents(target);
    for (const parent of parentsOf(source).toReversed()) {
      if (this.#names.get(parent) === null && this.#below(parent).length === 0) this.#names.delete(parent);
    }
    this.#makeSpecial();
  }

  #named(path: string, mailbox: Mailbox | null): NamedMailbox {
    const role = ROLES.get(path) ?? (mailbox === null ? undefined : this.#roles.get(mailbox));
    return { path, role: role ?? null, mailbox };
  }

  #below(path: string): ReadonlyArray<string> {
    return [...this.#names.keys()].filter((other) => other.startsWith(path + DELIMITER));
  }

  #makeParents(path: string): void {
    for (const parent of parentsOf(path)) if (!this.#names.has(parent)) this.#names.set(parent, null);
  }

  #makeSpecial(): void {
    for (const path of ROLES.keys()) if (!this.#names.get(path)) this.create(path);
  }
}

const refuse = (why: string): never => {
  throw new Error(why);
};

/** INBOX is known in any case, also where other names lie in it. */
const canonical = (path: string): string =>
  /^inbox(?=$|\/)/i.test(path) ? `INBOX${path.slice("INBOX".length)}` : path;

const validName = (path: string): string => {
  const parts = path.split(DELIMITER);
  if (parts.includes("") || parts.includes("..") || path.startsWith("~")) refuse(`${JSON.stringify(path)} is no name`);
  return canonical(path);
};

/** From the top down. */
const parentsOf = (path: string): ReadonlyArray<string> => {
  const parts = path.split(DELIMITER);
  return parts.slice(1).map((_, n) => parts.slice(0, n + 1).join(DELIMITER));
};
