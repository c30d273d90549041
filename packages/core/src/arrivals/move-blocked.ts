import { Effect, Option } from "effect";
import { Folders, MailboxChanges } from "../folders/index.ts";
import { ensureFolder } from "../folders/neighbours.ts";
import { addressKey, isRefused, type MailboxAccessError, MailServerError } from "../mail/index.ts";
import { MessageChanges } from "../messages/index.ts";
import type { AccountId } from "../shared/index.ts";
import {
  type AccountWatch,
  AccountWatches,
  FollowedMailboxes,
  LiveInboxes,
  MovedMessages,
  OwnMoves,
  SenderBlocks,
} from "../watch/index.ts";
import { locationKey, readLocations } from "../watch/neighbours.ts";
import { INBOX } from "./FollowedFolder.ts";
import { type PolledFolder, pollFolder, pollIfOpen, type ReadFolder } from "./poll-folder.ts";

/** The services that move the arrivals of blocked senders. */
export const blockingServices = Effect.all({
  watches: AccountWatches,
  followed: FollowedMailboxes,
  blocks: SenderBlocks,
  moved: MovedMessages,
  changes: MessageChanges,
  ownMoves: OwnMoves,
  live: LiveInboxes,
  folders: Folders,
  mailboxes: MailboxChanges,
});
type BlockingServices = Effect.Success<typeof blockingServices>;

/** How many messages are moved in one request. */
const MAX_MOVED = 1_000;
/** How many times one poll is repeated: a sender who never stops must not delay the other mail of the account, or other accounts. */
const MAX_ROUNDS = 10;

/**
 * Moves the arrivals of blocked senders while this node holds the watch, and polls the folder again until no further one has
 * arrived. The move of each message is tried once. What arrives in the last round is announced.
 */
const moveAndPoll = Effect.fnUntraced(function* (
  by: BlockingServices,
  node: string,
  watch: AccountWatch,
  read: ReadFolder,
  first: PolledFolder,
) {
  const tried = new Set<number>();
  let polled = first;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (polled.observed.arrived.length === 0 || !(yield* by.watches.holds(watch, node))) break;
    if (!(yield* moveBlocked(by, watch.account, polled, tried))) break;
    polled = yield* pollFolder(by.followed, watch.account, read);
  }
  return polled;
});

/** Polls a folder and moves the arrivals of blocked senders. */
export const pollUnblocked = (by: BlockingServices, node: string, watch: AccountWatch, read: ReadFolder) =>
  Effect.flatMap(pollFolder(by.followed, watch.account, read), (polled) => moveAndPoll(by, node, watch, read, polled));

/** Does the same as `pollUnblocked`; returns none if the folder is gone, or if the server refuses to open it at present. */
export const pollUnblockedIfOpen = (by: BlockingServices, node: string, watch: AccountWatch, read: ReadFolder) =>
  Effect.flatMap(pollIfOpen(by.followed, watch.account, read), (polled) =>
    Option.isNone(polled) ? Effect.succeedNone : Effect.asSome(moveAndPoll(by, node, watch, read, polled.value)),
  );

/**
 * Moves the arrivals of blocked senders from INBOX to Junk (spec 5.9), before the poll that found them is saved. After
 * a crash, the next poll therefore finds the messages that are not moved yet. A message that Postern moved into INBOX
 * stays, and so does a message that has left INBOX since the poll. Returns whether messages were to be moved; if so, the
 * folder must be polled again. If the mail server refuses the move, the messages stay.
 */
const moveBlocked = Effect.fn("moveBlocked")(
  function* (
    { blocks, moved, changes, ownMoves, live, folders, mailboxes }: BlockingServices,
    account: AccountId,
    polled: PolledFolder,
    tried: Set<number>,
  ) {
    const { folder, observed } = polled;
    if (folder.id !== INBOX.id || observed.arrived.length === 0) return false;
    const senders = new Map(
      observed.arrived.map(({ uid, summary }) => [uid, addressKey(summary?.from?.address ?? "")]),
    );
    const blocked = yield* blocks.findBlocked(account, [...new Set(senders.values())]);
    const found = [...senders]
      .flatMap(([uid, key]) => (blocked.has(key) && !tried.has(uid) ? [uid] : []))
      .slice(0, MAX_MOVED);
    if (found.length === 0) return false;
    for (const uid of found) tried.add(uid);
    const { uidValidity } = observed.cursor;
    const { left } = yield* moved.find(account, [{ folderId: INBOX.key, uidValidity, uids: found }]);
    const locate = readLocations(left);
    const uids = found.filter((uid) => {
      const arrived = { folderId: INBOX.key, uidValidity, uid };
      return locationKey(locate(arrived).id) === locationKey(arrived);
    });
    if (uids.length === 0) return false;
    const junk = yield* ensureFolder(folders, mailboxes, account, "junk");
    const from = { folderId: INBOX.key, uidValidity, path: INBOX.path };
    yield* ownMoves.begin(account, from, yield* ownMoves.read(account, from.path, uids), junk);
    const markChanged = Effect.sync(() => live.markChanged(account));
    const arrived = yield* Effect.ensuring(changes.move(account, from, uids, junk.path), markChanged);
    yield* ownMoves.settle(account, from, junk.key, arrived);
    return true;
  },
  (moving, _ports, account) =>
    Effect.catch(moving, (error) =>
      isTransient(error)
        ? Effect.fail(error)
        : Effect.as(Effect.logWarning("moving mail of a blocked sender failed", { account, error: error._tag }), false),
    ),
);

/** Returns whether the mail server did not refuse the move, in which case the messages wait for a later poll. */
const isTransient = (error: { readonly _tag: string }): error is MailboxAccessError =>
  error._tag === "StoreUnavailable" ||
  error._tag === "MailboxCredentialsRejected" ||
  (error instanceof MailServerError && !isRefused(error));
