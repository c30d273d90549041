import { Clock, Context, Duration, Effect, Layer } from "effect";
import { FolderRecords } from "../folders/index.ts";
import type { MailboxCursor } from "../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import { AccountWatches, FollowedMailboxes, WATCHED_FOR } from "../watch/index.ts";

/** Moves an account to other mail servers (spec 10.3): nothing known of its mailboxes holds there. */
export class ServerMove extends Context.Service<
  ServerMove,
  {
    /**
     * Forgets the folders, whose ids change, and starts a new baseline, which announces nothing. Restarts a watch on
     * the new server. Part of the transaction that stores the servers.
     */
    readonly apply: (account: AccountId, present: MailboxCursor) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/lifecycle/ServerMove") {
  static readonly layer = Layer.effect(
    ServerMove,
    Effect.gen(function* () {
      const folders = yield* FolderRecords;
      const mailboxes = yield* FollowedMailboxes;
      const watches = yield* AccountWatches;

      return ServerMove.of({
        apply: Effect.fn("ServerMove.apply")(function* (account, present) {
          yield* folders.erase(account);
          yield* mailboxes.moveTo(account, "inbox", present);
          const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(WATCHED_FOR);
          if (!(yield* watches.extend(account, until))) return;
          yield* watches.erase(account);
          yield* watches.add(account, until);
        }),
      });
    }),
  );
}
