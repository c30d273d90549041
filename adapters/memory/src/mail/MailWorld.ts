import { type AccountId, accountIdOf } from "@postern/core";
import { Context, Option } from "effect";
import { MailAccount } from "./MailAccount.ts";

/** A mail server in memory: accounts with their passwords and mailboxes. */
export class MailServerInMemory {
  readonly #accounts = new Map<AccountId, { readonly password: string; readonly account: MailAccount }>();
  #uidValidity: number;

  /** Every mailbox gets the next UIDVALIDITY from here; another base is another server to its clients. */
  constructor(uidValidityBase: number) {
    this.#uidValidity = uidValidityBase;
  }

  addAccount(address: string, password: string): MailAccount {
    const account = new MailAccount(() => this.#uidValidity++);
    this.#accounts.set(keyOf(address), { password, account });
    return account;
  }

  /** The account, where the password is its own. */
  signIn(username: string, password: string): MailAccount | undefined {
    const key = Option.getOrUndefined(accountIdOf(username));
    const found = key === undefined ? undefined : this.#accounts.get(key);
    return found?.password === password ? found.account : undefined;
  }

  account(id: AccountId): MailAccount {
    const found = this.#accounts.get(id);
    if (found === undefined) throw new Error(`${id} has no account here`);
    return found.account;
  }
}

/** The mail world that the fake ports look at, and that a test or the sandbox steers. */
export class MailWorld extends Context.Service<MailWorld, MailServerInMemory>()("@postern/memory/MailWorld") {}

const keyOf = (address: string): AccountId => Option.getOrThrow(accountIdOf(address));
