import { type AccountId, accountIdOf } from "@postern/core/shared";
import { Option } from "effect";
import { MailAccount } from "./MailAccount.ts";

/** A mail server in memory: accounts with their passwords and mailboxes. */
export class MailServerInMemory {
  readonly #accounts = new Map<AccountId, { readonly password: string; readonly account: MailAccount }>();
  #uidValidity: number;
  readonly #quota: number | undefined;

  /**
   * Every mailbox gets the next UIDVALIDITY from here on; another base is another server to its clients. No client puts
   * more than `quota` bytes of mail into an account.
   */
  constructor(uidValidityBase: number, quota?: number) {
    this.#quota = quota;
    if (!Number.isInteger(uidValidityBase) || uidValidityBase < 1 || uidValidityBase > 0xf000_0000) {
      throw new RangeError(`${uidValidityBase} is no UIDVALIDITY to begin with`);
    }
    this.#uidValidity = uidValidityBase;
  }

  /** A new account with INBOX and the special folders; for an address there is, only its password changes. */
  addAccount(address: string, password: string): MailAccount {
    const id = Option.getOrThrow(accountIdOf(address));
    const account = this.#accounts.get(id)?.account ?? new MailAccount(() => this.#uidValidity++, this.#quota);
    this.#accounts.set(id, { password, account });
    return account;
  }

  /** The account, where the password is its own. */
  signIn(username: string, password: string): MailAccount | undefined {
    const id = Option.getOrUndefined(accountIdOf(username));
    const found = id === undefined ? undefined : this.#accounts.get(id);
    return found?.password === password ? found.account : undefined;
  }

  /** The mailboxes an address is delivered to, where it is of this server. */
  deliverTo(address: string): MailAccount | undefined {
    return Option.getOrUndefined(Option.map(accountIdOf(address), (id) => this.#accounts.get(id)?.account));
  }

  /** Whether an address is of a domain that has accounts here. */
  hosts(address: string): boolean {
    const domain = address.slice(address.lastIndexOf("@")).toLowerCase();
    return [...this.#accounts.keys()].some((id) => id.endsWith(domain));
  }

  /** The account of this key, for those who steer the world; there must be one. */
  account(id: AccountId): MailAccount {
    const found = this.#accounts.get(id);
    if (found === undefined) throw new Error(`${id} has no account here`);
    return found.account;
  }
}
