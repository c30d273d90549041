import { Clock, Context, Duration, Effect, Layer } from "effect";
import { AccountDirectory } from "../accounts/index.ts";
import { EventPublisher } from "../events/index.ts";
import { FolderRecords, FolderRemovals } from "../folders/index.ts";
import type { AccountServers, MailboxCursor, MailServer } from "../mail/index.ts";
import { type AccountId, Entropy, OpaqueIds, type StoreUnavailable } from "../shared/index.ts";
import { AccountWatches, FollowedMailboxes, MovedMessages } from "../watch/index.ts";
import { WATCHED_FOR } from "../watch/neighbours.ts";

/** How many recorded moves of messages are deleted in one statement. */
const BATCH = 1_000;

/** The length of a generation of message ids. */
const GENERATION_BITS = 96;

/** Moves an account to other mail servers (spec 10.3), and deletes the stored state of its mailboxes. */
export class ServerMove extends Context.Service<
  ServerMove,
  {
    /** Begins a new account: a generation of message ids, and a baseline. Call it in the transaction that stores the account. */
    readonly begin: (account: AccountId, present: MailboxCursor) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Deletes the records of folders, of removals and of moved messages, and ends all message ids. Starts a new baseline,
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
      const directory = yield* AccountDirectory;
      const entropy = yield* Entropy;
      const folders = yield* FolderRecords;
      const removals = yield* FolderRemovals;
      const moved = yield* MovedMessages;
      const mailboxes = yield* FollowedMailboxes;
      const watches = yield* AccountWatches;
      const publisher = yield* EventPublisher;
      const ids = yield* OpaqueIds;

      const renewIds = Effect.fnUntraced(function* (account: AccountId) {
        const generation = yield* entropy.id(GENERATION_BITS);
        yield* directory.change(account, (known) => [undefined, { ...known, generation }]);
      });

      return ServerMove.of({
        begin: Effect.fn("ServerMove.begin")(function* (account, present) {
          yield* renewIds(account);
          yield* mailboxes.begin(account, "inbox", present);
        }),
        apply: Effect.fn("ServerMove.apply")(function* (account, servers, present) {
          yield* renewIds(account);
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
