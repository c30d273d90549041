import { Context, Effect, Layer } from "effect";
import { AccountWatches } from "../arrivals/ports/AccountWatches.ts";
import { FollowedMailboxes } from "../arrivals/ports/FollowedMailboxes.ts";
import { ParseJobs } from "../bounces/ports/ParseJobs.ts";
import { EventLedger } from "../events/ports/EventLedger.ts";
import { FolderRecords } from "../folders/ports/FolderRecords.ts";
import { FolderRemovals } from "../folders/ports/FolderRemovals.ts";
import { MovedMessages } from "../messages/ports/MovedMessages.ts";
import { IdempotencyKeys } from "../send/ports/IdempotencyKeys.ts";
import { OutgoingJournal } from "../send/ports/OutgoingJournal.ts";
import { SendQuotas } from "../send/ports/SendQuotas.ts";
import { TrackedMessages } from "../send/ports/TrackedMessages.ts";
import { UploadRecords } from "../send/ports/UploadRecords.ts";
import { Uploads } from "../send/Uploads.ts";
import type { AccountId } from "../shared/AccountId.ts";
import { Transaction } from "../shared/ports/Transaction.ts";
import type { StoreUnavailable } from "../shared/StoreUnavailable.ts";
import { Endpoints } from "../webhooks/ports/Endpoints.ts";
import { CredentialVault } from "./ports/CredentialVault.ts";
import { LoginAttempts } from "./ports/LoginAttempts.ts";
import { Sessions } from "./ports/Sessions.ts";

/** Forgetting an account: all its sessions end and all we keep of it is erased (decisions 3). Its mail stays. */
export class AccountRemoval extends Context.Service<
  AccountRemoval,
  {
    readonly remove: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/auth/AccountRemoval") {
  static readonly layer = Layer.effect(
    AccountRemoval,
    Effect.gen(function* () {
      const sessions = yield* Sessions;
      const vault = yield* CredentialVault;
      const attempts = yield* LoginAttempts;
      const others = [
        yield* FolderRecords,
        yield* FolderRemovals,
        yield* OutgoingJournal,
        yield* ParseJobs,
        yield* IdempotencyKeys,
        yield* SendQuotas,
        yield* TrackedMessages,
        yield* Endpoints,
        yield* UploadRecords,
        yield* EventLedger,
        yield* MovedMessages,
        yield* FollowedMailboxes,
        yield* AccountWatches,
      ];
      const uploads = yield* Uploads;
      const transaction = yield* Transaction;

      const erase = Effect.fnUntraced(function* (account: AccountId) {
        yield* sessions.removeAll(account);
        yield* vault.eraseUnless(account, Effect.succeed(false));
        yield* attempts.erase(account);
        for (const store of others) yield* store.erase(account);
      }, transaction.run);

      /** Nobody finds the files any more; should their bytes outlast this, they are swept later. */
      const remove = Effect.fn("AccountRemoval.remove")(function* (account: AccountId) {
        yield* erase(account);
        yield* Effect.catch(uploads.sweep, (error) => Effect.logWarning("uploads are left to be swept", error));
      });

      return AccountRemoval.of({ remove });
    }),
  );
}
