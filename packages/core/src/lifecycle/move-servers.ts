import { Clock, Duration, Effect } from "effect";
import { AccountDirectory } from "../accounts/index.ts";
import { ParseJobs } from "../bounces/index.ts";
import { EventPublisher } from "../events/index.ts";
import { FolderRecords, FolderRemovals } from "../folders/index.ts";
import type { AccountServers, MailboxCursor, MailServer } from "../mail/index.ts";
import { type AccountId, Entropy, OpaqueIds } from "../shared/index.ts";
import { AccountWatches, FollowedMailboxes, MovedMessages } from "../watch/index.ts";
import { WATCHED_FOR } from "../watch/neighbours.ts";

/** The number of recorded moves of messages deleted in one statement. */
const BATCH = 1_000;

/** The size of a generation of message ids, in bits. */
const GENERATION_BITS = 96;

/** The ports that move an account to other mail servers (spec 10.3), and delete the stored state of its mailboxes. */
export const serverMover = Effect.all({
  directory: AccountDirectory,
  entropy: Entropy,
  folders: FolderRecords,
  removals: FolderRemovals,
  moved: MovedMessages,
  reports: ParseJobs,
  mailboxes: FollowedMailboxes,
  watches: AccountWatches,
  publisher: EventPublisher,
  ids: OpaqueIds,
});
type ServerMover = Effect.Success<typeof serverMover>;

/** Gives a new account a generation of message ids and a baseline. Call it in the transaction that stores the account. */
export const beginServers = Effect.fn("beginServers")(function* (
  mover: ServerMover,
  account: AccountId,
  present: MailboxCursor,
) {
  yield* renewIds(mover, account);
  yield* mover.mailboxes.begin(account, "inbox", present);
});

/**
 * Deletes the records of folders, of removals, of moved messages and of possible reports, and ends all message ids.
 * Starts a new baseline, from which no messages are announced, and restarts the watch on the new server. Call it in the
 * transaction that stores the servers.
 */
export const moveServers = Effect.fn("moveServers")(function* (
  mover: ServerMover,
  account: AccountId,
  servers: AccountServers,
  present: MailboxCursor,
) {
  const { folders, removals, moved, reports, mailboxes, watches, publisher } = mover;
  yield* renewIds(mover, account);
  yield* folders.erase(account);
  // Actions that began on the former server must not continue on the new server.
  yield* removals.erase(account);
  while (yield* moved.erase(account, BATCH));
  yield* reports.erase(account);
  yield* mailboxes.moveTo(account, "inbox", present);
  // An account that follows all folders begins with the folders that its watch finds on the new server.
  yield* mailboxes.endAll(account);
  const [imap, smtp] = [hostAndPort(servers.imap), hostAndPort(servers.smtp)];
  yield* publisher.publishNow(account, "account.servers_changed", { email: account, imap, smtp });
  const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(WATCHED_FOR);
  if (!(yield* watches.extend(account, until))) return;
  yield* watches.erase(account);
  yield* watches.add(account, until);
});

/** Logs a committed move. */
export const logMove = ({ ids }: ServerMover, account: AccountId, { imap, smtp }: AccountServers) =>
  Effect.logInfo("the servers of an account changed", {
    account: ids.accountId(account),
    imap: addressOf(imap),
    smtp: addressOf(smtp),
  });

const renewIds = Effect.fnUntraced(function* ({ entropy, directory }: ServerMover, account: AccountId) {
  const generation = yield* entropy.id(GENERATION_BITS);
  yield* directory.change(account, (known) => [undefined, { ...known, generation }]);
});

const hostAndPort = ({ host, port }: MailServer) => ({ host, port });

const addressOf = ({ host, port }: MailServer): string => `${host}:${port}`;
