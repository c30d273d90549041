import { Context, Effect, Fiber, Layer } from "effect";
import { AccountWatches, FollowedMailboxes } from "../watch/index.ts";
import { ParseJobs } from "../bounces/index.ts";
import { EventLedger } from "../events/index.ts";
import { FolderRecords, FolderRemovals } from "../folders/index.ts";
import { MovedMessages } from "../messages/index.ts";
import { IdempotencyKeys, OutgoingJournal, SendQuotas, TrackedMessages, UploadRecords, Uploads } from "../send/index.ts";
import { type AccountId, inSlices, ROWS_AT_ONCE, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { Endpoints } from "../webhooks/index.ts";
import { AccountErasures, CredentialVault, LoginAttempts, Sessions } from "../auth/index.ts";

/** How long a removal waits for all rows to be erased. */
const PATIENCE = "10 seconds";

/** Forgetting an account: all its sessions end and all we keep of it is erased (decisions 3). Its mail stays. */
export class AccountRemoval extends Context.Service<
  AccountRemoval,
  {
    /** The account is gone with the answer; of a large one rows may be left, which are erased after it. */
    readonly remove: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Erases what is left of an account, before it begins anew. */
    readonly finish: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Erases what is left of all accounts that were removed. */
    readonly resume: Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/lifecycle/AccountRemoval") {
  static readonly layer = Layer.effect(
    AccountRemoval,
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      const vault = yield* CredentialVault;
      const attempts = yield* LoginAttempts;
      const erasures = yield* AccountErasures;
      const small = [
        yield* FolderRecords,
        yield* FolderRemovals,
        yield* ParseJobs,
        yield* IdempotencyKeys,
        yield* SendQuotas,
        yield* UploadRecords,
        yield* AccountWatches,
      ];
      /** Of which an account may have a million rows. Deliveries go before their events. */
      const large = [
        yield* Endpoints,
        yield* FollowedMailboxes,
        yield* OutgoingJournal,
        yield* TrackedMessages,
        yield* EventLedger,
        yield* MovedMessages,
      ];
      const uploads = yield* Uploads;
      const transaction = yield* Transaction;
      const scope = yield* Effect.scope;

      const begin = Effect.fnUntraced(function* (account: AccountId) {
        yield* erasures.begin(account);
        yield* sessions.removeAll(account);
        yield* vault.eraseUnless(account, Effect.succeed(false));
        yield* attempts.erase(account);
        for (const store of small) yield* store.erase(account);
        // Its endpoints and mailboxes are gone with the first slice.
        for (const store of large.slice(0, 2)) yield* store.erase(account, ROWS_AT_ONCE);
      }, transaction.run);

      const finish = Effect.fn("AccountRemoval.finish")(function* (account: AccountId) {
        if (!(yield* erasures.isUnderWay(account))) return;
        // Once it is over elsewhere, what there is belongs to an account that began anew.
        const slice = Effect.fnUntraced(function* (store: (typeof large)[number]) {
          return (yield* erasures.isUnderWay(account)) && (yield* store.erase(account, ROWS_AT_ONCE));
        }, transaction.run);
        for (const store of large) yield* inSlices(slice(store));
        yield* erasures.end(account);
      });

      /** Nobody finds the files any more; should their bytes outlast this, they are swept later. */
      const remove = Effect.fn("AccountRemoval.remove")(function* (account: AccountId) {
        yield* begin(account);
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
