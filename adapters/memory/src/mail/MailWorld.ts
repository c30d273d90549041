import { type AccountId, accountIdOf } from "@postern/core/shared";
import { Clock, Context, Effect, Layer, Option } from "effect";
import { MailAccount } from "./MailAccount.ts";
import type { RawMessage } from "./StoredMessage.ts";

/** An account that a mail server starts with. */
export interface InitialAccount {
  readonly address: string;
  readonly password: string;
  /** Created beside INBOX and the special folders. */
  readonly folders: ReadonlyArray<string>;
  /** In the order of their UIDs. */
  readonly messages: ReadonlyArray<{
    readonly folder: string;
    readonly raw: RawMessage;
    /** INTERNALDATE in epoch milliseconds. */
    readonly arrivedAt: number;
    readonly flags: ReadonlyArray<string>;
  }>;
}

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

/** The mail world that the fake ports look at, and that a test or the sandbox steers. */
export class MailWorld extends Context.Service<MailWorld, MailServerInMemory>()("@postern/memory/MailWorld") {
  /**
   * A mail server with these accounts, made for the moment it starts (epoch milliseconds). UIDVALIDITY follows that
   * moment too, or clients would take the mail for that of the start before.
   */
  static readonly layer = (accountsAt: (now: number) => ReadonlyArray<InitialAccount>): Layer.Layer<MailWorld> =>
    Layer.effect(
      MailWorld,
      Effect.map(Clock.currentTimeMillis, (now) => {
        const server = new MailServerInMemory(Math.max(1, Math.floor(now / 1000)));
        for (const { address, password, folders, messages } of accountsAt(now)) {
          const account = server.addAccount(address, password);
          for (const path of folders) account.create(path);
          for (const { folder, raw, arrivedAt, flags } of messages) {
            account.mailbox(folder).append(raw, arrivedAt, flags);
          }
        }
        return server;
      }),
    );
}
