import { Context, Effect, Fiber, Layer, Option } from "effect";
import { type Account, AccountBeingRemoved, AccountDirectory } from "../accounts/index.ts";
import { AccountChanged } from "../accounts/neighbours.ts";
import { recordOperation } from "../audit/neighbours.ts";
import { AccountErasures } from "../auth/index.ts";
import { Uploads } from "../send/index.ts";
import { type AccountData, AllAccountData, ROWS_AT_ONCE } from "../shared/neighbours.ts";
import { type AccountId, inSlices, type Precondition, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { ownEvents, publishRemoval } from "../webhooks/neighbours.ts";

/** How long a removal waits until all rows are erased. */
const PATIENCE = "10 seconds";

/** Removes an account: ends its sessions and erases all its data (spec 3.7). Its mail stays on the server. */
export class AccountRemoval extends Context.Service<
  AccountRemoval,
  {
    /** Removes the account. The remaining rows of a large account are erased in the background. */
    readonly remove: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Removes the account if it has the version that the client names. */
    readonly removeIf: (
      account: AccountId,
      isWanted: Precondition<Account>,
    ) => Effect.Effect<void, AccountChanged | StoreUnavailable>;
    /** Erases the remaining rows of a removed account before a sign-in uses the account again. */
    readonly finish: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Fails if the account has been removed again since `finish`. Call it in the transaction that stores the account,
     * after the account, because the erasure would erase what the transaction stores.
     */
    readonly checkFinished: (account: AccountId) => Effect.Effect<void, AccountBeingRemoved | StoreUnavailable>;
    /** Erases the remaining rows of all removed accounts. */
    readonly resume: Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/lifecycle/AccountRemoval") {
  static readonly layer = Layer.effect(
    AccountRemoval,
    Effect.gen(function* () {
      const all = yield* AllAccountData;
      const directory = yield* AccountDirectory;
      const erasures = yield* AccountErasures;
      const uploads = yield* Uploads;
      const events = yield* ownEvents;
      const transaction = yield* Transaction;
      const scope = yield* Effect.scope;

      const begin = Effect.fnUntraced(function* (account: AccountId, isWanted: Precondition<Account>) {
        const isIt = yield* directory.change(account, (known) => [isWanted(known), known]);
        if (Option.contains(isIt, false)) return yield* new AccountChanged();
        yield* erasures.begin(account);
        yield* publishRemoval(events, directory, account);
        for (const { erase } of all) if (erase !== undefined) yield* erase(account);
        yield* recordOperation("accounts.remove", { account });
      }, transaction.run);

      // If another process ended the erasure, the remaining rows may belong to a new sign-in of the account.
      const slice = Effect.fnUntraced(function* (
        account: AccountId,
        eraseSlice: NonNullable<AccountData["eraseSlice"]>,
      ) {
        return (yield* erasures.isUnderWay(account)) && (yield* eraseSlice(account, ROWS_AT_ONCE));
      }, transaction.run);

      const finish = Effect.fn("AccountRemoval.finish")(function* (account: AccountId) {
        if (!(yield* erasures.isUnderWay(account))) return;
        for (const { eraseSlice } of all) if (eraseSlice !== undefined) yield* inSlices(slice(account, eraseSlice));
        yield* erasures.end(account);
      });

      const checkFinished = Effect.fnUntraced(function* (account: AccountId) {
        if (yield* erasures.isUnderWay(account)) return yield* new AccountBeingRemoved();
      });

      const removeIf = Effect.fn("AccountRemoval.remove")(function* (
        account: AccountId,
        isWanted: Precondition<Account>,
      ) {
        yield* begin(account, isWanted);
        // The records of the uploads are erased; a sweep deletes their remaining bytes later.
        const rest = Effect.andThen(finish(account), uploads.sweep).pipe(
          Effect.catch((error) => Effect.logWarning("erasing a removed account failed, the sweep retries", error)),
        );
        yield* Effect.timeoutOption(Fiber.join(yield* Effect.forkIn(rest, scope)), PATIENCE);
      });

      const resume = Effect.flatMap(erasures.list, (accounts) => Effect.forEach(accounts, finish, { discard: true }));

      const remove = (account: AccountId) =>
        Effect.catchTag(
          removeIf(account, () => true),
          "AccountChanged",
          Effect.die,
        );

      return AccountRemoval.of({ remove, removeIf, finish, checkFinished, resume });
    }),
  );
}
