import { AccountId, accountIdOf } from "@postern/core/shared";
import type { MailCredential } from "@postern/core/auth";
import type { FolderRole } from "@postern/core/mail";
import { Option, Redacted } from "effect";
import { Mailbox, type NamedMailbox, ROLES } from "./Mailbox.ts";

/** What a server does with each sign-in: it refuses it without a reason, is not reached, or sends more than its budget. */
export type ServerConduct = "unclear" | "away" | "flood";

/** A mail server in memory: accounts with their passwords and mailboxes. */
export class MailServerInMemory {
  /** The servers at other hosts, with accounts of their own. */
  readonly others = new Map<string, MailServerInMemory>();
  /** The accounts that this server does not serve as usual. */
  readonly conducts = new Map<AccountId, ServerConduct>();
  /** Called with each credential that is sent to this server. */
  onSignIn: (credential: MailCredential) => void = () => {};
  readonly #accounts = new Map<AccountId, { readonly password: string; readonly account: MailAccount }>();
  /** Returns whether an access token opens an account now, according to its provider. */
  opens: (account: AccountId, token: string) => boolean = () => false;
  #uidValidity: number;
  readonly #quota: number | undefined;

  /**
   * Each mailbox gets the next UIDVALIDITY, starting with `uidValidityBase`. To clients, another base looks like
   * another server. `quota` limits the bytes of mail in an account.
   */
  constructor(uidValidityBase: number, quota?: number) {
    this.#quota = quota;
    if (!Number.isInteger(uidValidityBase) || uidValidityBase < 1 || uidValidityBase > 0xf000_0000) {
      throw new RangeError(`${uidValidityBase} is no UIDVALIDITY to begin with`);
    }
    this.#uidValidity = uidValidityBase;
  }

  /** Adds an account with INBOX and the special folders; for an existing address it only changes the password. */
  addAccount(address: string, password: string): MailAccount {
    const id = Option.getOrThrow(accountIdOf(address));
    const account = this.#accounts.get(id)?.account ?? new MailAccount(() => this.#uidValidity++, this.#quota);
    this.#accounts.set(id, { password, account });
    return account;
  }

  /** Returns the server at a host: the server in `others` or, if `others` has none, this server. */
  at(host: string): MailServerInMemory {
    return this.others.get(host) ?? this;
  }

  /** Returns what the server does with a sign-in as this user; undefined for an account that it serves as usual. */
  conductTo(username: string): ServerConduct | undefined {
    if (this.conducts.size === 0) return undefined;
    return Option.getOrUndefined(Option.flatMapNullishOr(accountIdOf(username), (id) => this.conducts.get(id)));
  }

  /** Returns the account if the password or the access token belongs to it. */
  signIn(credential: MailCredential): MailAccount | undefined {
    this.onSignIn(credential);
    // Most names are already account keys, and parsing an address takes time.
    const named = AccountId(credential.username);
    const id = this.#accounts.has(named) ? named : Option.getOrUndefined(accountIdOf(credential.username));
    const found = id === undefined ? undefined : this.#accounts.get(id);
    if (found === undefined) return undefined;
    const isRight =
      credential._tag === "Password"
        ? found.password === Redacted.value(credential.password)
        : this.opens(id!, Redacted.value(credential.token));
    return isRight ? found.account : undefined;
  }

  /** Returns the account an address is delivered to, if it is on this server. */
  deliverTo(address: string): MailAccount | undefined {
    return Option.getOrUndefined(Option.map(accountIdOf(address), (id) => this.#accounts.get(id)?.account));
  }

  /** Returns whether the domain of an address has accounts here. */
  hosts(address: string): boolean {
    const domain = address.slice(address.lastIndexOf("@")).toLowerCase();
    return [...this.#accounts.keys()].some((id) => id.endsWith(domain));
  }

  /** Returns the account with this id, for tests that control the server; throws if it is missing. */
  account(id: AccountId): MailAccount {
    const found = this.#accounts.get(id);
    if (found === undefined) throw new Error(`${id} has no account here`);
    return found.account;
  }
}

export const DELIMITER = "/";

/**
 * The mailboxes of one account, with Dovecot's rules for names. INBOX and the special folders always exist: they are
 * recreated when deleted or renamed. A method throws where a mail server would answer NO.
 */
class MailAccount {
  readonly #names = new Map<string, Mailbox | null>();
  /** Roles of mailboxes that are not special folders. */
  readonly #roles = new WeakMap<Mailbox, FolderRole>();
  /** The mailboxes to which the user assigned a role. */
  readonly #chosen = new Map<FolderRole, Mailbox>();
  readonly #nextUidValidity: () => number;
  /** Whether the server creates a special folder again after its deletion. */
  keepsSpecial = true;
  /** Maximum bytes of mail. */
  readonly #quota: number;

  constructor(nextUidValidity: () => number, quota = Infinity) {
    this.#quota = quota;
    this.#nextUidValidity = nextUidValidity;
    this.#makeSpecial();
  }

  /** Returns INBOX and the special folders, then the others by name, each after its parent. */
  list(): ReadonlyArray<NamedMailbox> {
    const paths = new Set([...ROLES.keys(), ...[...this.#names.keys()].toSorted()]);
    return [...paths].flatMap((path) => this.find(path) ?? []);
  }

  /** Returns the mailbox of this name, if it exists. */
  find(path: string): NamedMailbox | undefined {
    const known = canonical(path);
    const mailbox = this.#names.get(known);
    return mailbox === undefined ? undefined : this.#named(known, mailbox);
  }

  /** Returns whether a new message of this many bytes is within the quota. Moved messages are counted already. */
  hasRoomFor(bytes: number): boolean {
    if (this.#quota === Infinity) return true;
    const messages = [...this.#names.values()].flatMap((mailbox) => mailbox?.messages ?? []);
    return messages.reduce((used, { raw }) => used + raw.length, bytes) <= this.#quota;
  }

  /** Returns the mailbox of this name; throws if it is missing or `\Noselect`. */
  mailbox(path: string): Mailbox {
    return this.find(path)?.mailbox ?? refuse(`${path} is no mailbox`);
  }

  /**
   * Creates a mailbox with its parents. A role that another mailbox has is ignored. Mailboxes may share a UIDVALIDITY,
   * as on servers that derive it from the time.
   */
  create(path: string, role?: FolderRole, uidValidity = this.#nextUidValidity()): Mailbox {
    const name = validName(path);
    if (this.#names.get(name)) refuse(`${name} exists`);
    const mailbox = new Mailbox(uidValidity);
    this.#makeParents(name);
    const isFree = role !== undefined && this.list().every((other) => other.role !== role);
    this.#names.set(name, mailbox);
    if (isFree) this.#roles.set(mailbox, role);
    return mailbox;
  }

  /**
   * Assigns a role to a mailbox, as if a user made "Deleted" the Trash folder. The mailbox that had the role loses the
   * role.
   */
  layRole(role: Exclude<FolderRole, "inbox">, path: string): void {
    this.#chosen.set(role, this.mailbox(path));
  }

  /** Deletes a mailbox. A name with children stays as `\Noselect` and disappears with its last child. */
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

  /** Gives a mailbox and its messages a new UIDVALIDITY, as a server that is restored from a backup does. */
  recreate(path: string): Mailbox {
    const name = canonical(path);
    const before = this.mailbox(name);
    const after = new Mailbox(this.#nextUidValidity());
    before.move(
      before.messages.map(({ uid }) => uid),
      after,
    );
    this.#names.set(name, after);
    before.hangUp();
    return after;
  }

  /** Renames a mailbox and all mailboxes below it; UIDVALIDITY and UIDs stay. Empty `\Noselect` parents disappear. */
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
    const chosen = [...this.#chosen].find(([, one]) => one === mailbox)?.[0];
    const usual = ROLES.get(path) ?? (mailbox === null ? undefined : this.#roles.get(mailbox));
    const role = usual === undefined || this.#chosen.has(usual) ? null : usual;
    return { path, role: chosen ?? role, mailbox };
  }

  #below(path: string): ReadonlyArray<string> {
    return [...this.#names.keys()].filter((other) => other.startsWith(path + DELIMITER));
  }

  #makeParents(path: string): void {
    for (const parent of parentsOf(path)) if (!this.#names.has(parent)) this.#names.set(parent, null);
  }

  #makeSpecial(): void {
    const kept = this.keepsSpecial ? ROLES.keys() : ["INBOX"];
    for (const path of kept) if (!this.#names.get(path)) this.create(path);
  }
}

export type { MailAccount };

const refuse = (why: string): never => {
  throw new Error(why);
};

/** Returns a path with INBOX in upper case; the name is case-insensitive, also as a parent. */
const canonical = (path: string): string =>
  /^inbox(?=$|\/)/i.test(path) ? `INBOX${path.slice("INBOX".length)}` : path;

const validName = (path: string): string => {
  const parts = path.split(DELIMITER);
  if (parts.includes("") || parts.includes("..") || path.startsWith("~")) refuse(`${JSON.stringify(path)} is no name`);
  return canonical(path);
};

/** Returns the parents from the top down. */
const parentsOf = (path: string): ReadonlyArray<string> => {
  const parts = path.split(DELIMITER);
  return parts.slice(1).map((_, n) => parts.slice(0, n + 1).join(DELIMITER));
};
