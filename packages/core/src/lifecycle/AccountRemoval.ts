import { Context, Effect, Fiber, Layer } from "effect";
import { AccountErasures } from "../auth/index.ts";
import { Uploads } from "../send/index.ts";
import {
  type AccountData,
  type AccountId,
  AllAccountData,
  inSlices,
  ROWS_AT_ONCE,
  type StoreUnavailable,
  Transaction,
} from "../shared/index.ts";

/** How long a removal waits for all rows to be erased. */
const PATIENCE = "10 seconds";

/** Removes an account: its sessions end, and everything kept of it is erased (spec 3.7). Its mail stays. */
export class AccountRemoval extends Context.Service<
  AccountRemoval,
  {
    /** The account is gone when this returns; rows of a large one may be left, which are erased after it. */
    readonly remove: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Erases what is left of a removed account, before the account is used again. */
    readonly finish: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Erases what is left of all removed accounts. */
    readonly resume: Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/lifecycle/AccountRemoval") {
  static readonly layer = Layer.effect(
    AccountRemoval,
    Effect.gen(function* () {
      const all = yield* AllAccountData;
      const erasures = yield* AccountErasures;
      const uploads = yield* Uploads;
      const transaction = yield* Transaction;
      const scope = yield* Effect.scope;

      const begin = Effect.fnUntraced(function* (account: AccountId) {
        yield* erasures.begin(account);
        for (const { erase } of all) if (erase !== undefined) yield* erase(account);
      }, transaction.run);

      // Once another process ended the erasure, what there is belongs to an account that is used again.
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

      const remove = Effect.fn("AccountRemoval.remove")(function* (account: AccountId) {
        yield* begin(account);
        // The records of its files are gone; bytes that outlast this are swept later.
        const rest = Effect.andThen(finish(account), uploads.sweep).pipe(
          Effect.catch((error) => Effect.logWarning("rows of a removed account are left to be swept", error)),
        );
        yield* Effect.timeoutOption(Fiber.join(yield* Effect.forkIn(rest, scope)), PATIENCE);
      });

      const resume = Effect.flatMap(erasures.list, (accounts) => Effect.forEach(accounts, finish, { discard: true }));

      return AccountRemoval.of({ remove, finish, resume });
    }),
  );
}
