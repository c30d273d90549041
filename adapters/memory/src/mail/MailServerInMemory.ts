import { type AccountId, accountIdOf } from "@postern/core/shared";
import type { MailCredential } from "@postern/core/auth";
import { Option, Redacted } from "effect";
import { MailAccount } from "./MailAccount.ts";

/** A mail server in memory: accounts with their passwords and mailboxes. */
export class MailServerInMemory {
  readonly #accounts = new Map<AccountId, { readonly password: string; readonly account: MailAccount }>();
  /** Returns whether an access token opens an account now, as its provider says. */
  opens: (account: AccountId, token: string) => boolean = () => false;
  #uidValidity: number;
  readonly #quota: number | undefined;

  /**
   * Each mailbox gets the next UIDVALIDITY from `uidValidityBase` on; another base looks like another server to
   * clients. `quota` limits the bytes of mail in an account.
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

  /** Returns the account if the password or the access token is its own. */
  signIn(credential: MailCredential): MailAccount | undefined {
    const id = Option.getOrUndefined(accountIdOf(credential.username));
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

  /** Whether the domain of an address has accounts here. */
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
