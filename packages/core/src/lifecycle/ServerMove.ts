import { Clock, Context, Duration, Effect, Layer } from "effect";
import { EventPublisher } from "../events/index.ts";
import { FolderRecords, FolderRemovals } from "../folders/index.ts";
import type { AccountServers, MailboxCursor, MailServer } from "../mail/index.ts";
import { type AccountId, OpaqueIds, type StoreUnavailable } from "../shared/index.ts";
import { AccountWatches, FollowedMailboxes, MovedMessages } from "../watch/index.ts";
import { WATCHED_FOR } from "../watch/neighbours.ts";

/** How many recorded moves of messages are deleted in one statement. */
const BATCH = 1_000;

/** Moves an account to other mail servers (spec 10.3), and deletes the stored state of its mailboxes. */
export class ServerMove extends Context.Service<
  ServerMove,
  {
    /**
     * Deletes the records of folders (their ids change), of removals and of moved messages. Starts a new baseline,
     * which announces no messages, and restarts a watch on the new server. Call it in the transaction that stores the
     * servers.
     */
    readonly apply: (
      account: AccountId,
      servers: AccountServers,
      present: MailboxCursor,
    ) => Effect.Effect<void, StoreUnavailable>;
    /** Writes the audit line of a move that was committed. */
    readonly audit: (account: AccountId, servers: AccountServers) => Effect.Effect<void>;
  }
>()("@postern/core/lifecycle/ServerMove") {
  static readonly layer = Layer.effect(
    ServerMove,
    Effect.gen(function* () {
      const folders = yield* FolderRecords;
      const removals = yield* FolderRemovals;
      const moved = yield* MovedMessages;
      const mailboxes = yield* FollowedMailboxes;
      const watches = yield* AccountWatches;
      const publisher = yield* EventPublisher;
      const ids = yield* OpaqueIds;

      return ServerMove.of({
        apply: Effect.fn("ServerMove.apply")(function* (account, servers, present) {
          yield* folders.erase(account);
          // Actions that began on the former server must not continue on the new server.
          yield* removals.erase(account);
          while (yield* moved.erase(account, BATCH));
          yield* mailboxes.moveTo(account, "inbox", present);
          const [imap, smtp] = [hostAndPort(servers.imap), hostAndPort(servers.smtp)];
          yield* publisher.publishNow(account, "account.servers_changed", { email: account, imap, smtp });
          const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(WATCHED_FOR);
          if (!(yield* watches.extend(account, until))) return;
          yield* watches.erase(account);
          yield* watches.add(account, until);
        }),
        audit: (account, { imap, smtp }) =>
          Effect.logInfo("the servers of an account changed", {
            account: ids.accountId(account),
            imap: addressOf(imap),
            smtp: addressOf(smtp),
          }),
      });
    }),
  );
}

const hostAndPort = ({ host, port }: MailServer) => ({ host, port });

const addressOf = ({ host, port }: MailServer): string => `${host}:${port}`;
