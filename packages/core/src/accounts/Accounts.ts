import { Context, Effect, Layer } from "effect";
import type { KeyReach } from "../auth/index.ts";
import type { AccountServers } from "../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import { AccountWatches } from "../watch/index.ts";
import type { Account } from "./Account.ts";
import { AccountAccess } from "./AccountAccess.ts";
import { AccountSettings } from "./AccountSettings.ts";
import type { AccountNotFound } from "./errors.ts";
import { serversOf } from "./operator-servers.ts";
import { AccountDirectory, type AccountFilter } from "./ports/AccountDirectory.ts";

/** An account as it is shown to those who manage it. */
export interface AccountDetails {
  readonly account: Account;
  /** Where it lives; null if no server is known. */
  readonly servers: AccountServers | null;
  /** Whether its new mail is announced at the moment. */
  readonly isWatched: boolean;
}

/** Reads accounts, within the reach of a key (spec 10.3). */
export class Accounts extends Context.Service<
  Accounts,
  {
    /** Up to `limit` accounts by address, those after `after`. */
    readonly list: (
      filter: AccountFilter,
      after: AccountId | null,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<AccountDetails>, StoreUnavailable>;
    /** Returns an account named by its id or address. */
    readonly get: (
      named: string,
      reach: KeyReach | null,
    ) => Effect.Effect<AccountDetails, AccountNotFound | StoreUnavailable>;
    /** Returns the details of accounts. */
    readonly details: (
      accounts: ReadonlyArray<Account>,
    ) => Effect.Effect<ReadonlyArray<AccountDetails>, StoreUnavailable>;
  }
>()("@postern/core/accounts/Accounts") {
  static readonly layer = Layer.effect(
    Accounts,
    Effect.gen(function* () {
      const settings = yield* AccountSettings;
      const access = yield* AccountAccess;
      const directory = yield* AccountDirectory;
      const watches = yield* AccountWatches;

      const details = Effect.fnUntraced(function* (accounts: ReadonlyArray<Account>) {
        const watched = yield* watches.watched(accounts.map(({ id }) => id));
        return accounts.map((account) => ({
          account,
          servers: serversOf(settings, account.id, account),
          isWatched: watched.has(account.id),
        }));
      });

      return Accounts.of({
        list: Effect.fn("Accounts.list")(function* (filter, after, limit) {
          return yield* details(yield* directory.list(filter, after, limit));
        }),
        get: Effect.fn("Accounts.get")(function* (named, reach) {
          const [found] = yield* details([yield* access.find(named, reach)]);
          return found!;
        }),
        details,
      });
    }),
  ).pipe(Layer.provide(AccountAccess.layer));
}
