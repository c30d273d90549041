import { Clock, Duration, Effect, Option } from "effect";
import { type Account, AccountDirectory, AccountNotFound } from "../accounts/index.ts";
import { checkAccount, type Follow, followOf } from "../accounts/neighbours.ts";
import { recordOperation } from "../audit/neighbours.ts";
import { Folders } from "../folders/index.ts";
import { type AccountId, Transaction } from "../shared/index.ts";
import { AccountWatches, FollowedMailboxes } from "../watch/index.ts";
import { type FollowingProgress, WATCHED_FOR } from "../watch/neighbours.ts";

/** The ports that change which folders of an account are followed (spec 7.11). */
export const portsToFollow = Effect.all({
  folders: Folders,
  mailboxes: FollowedMailboxes,
  watches: AccountWatches,
  directory: AccountDirectory,
  transaction: Transaction,
  followsOf: followOf,
});
type PortsToFollow = Effect.Success<typeof portsToFollow>;

/**
 * Lists the folders, and returns the effect that follows them from this state on, for the transaction of the change;
 * null if nothing changes. The effect restarts the watch, so that its node learns of the change. If the account
 * `hasMoved` to other servers in this transaction, the listed folders are not its own, and its watch finds the others.
 */
export const startFollowing = Effect.fnUntraced(function* (
  { folders, mailboxes, watches, followsOf }: PortsToFollow,
  known: Account,
  follow: Follow | undefined,
) {
  if (follow === undefined || follow === followsOf(known)) return null;
  const account = known.id;
  const { records, listed } = yield* folders.sync(account);
  const present = new Map(
    records.flatMap(({ key }, n) => {
      const { uidValidity = null, uidNext = null } = listed[n]!.status ?? {};
      if (uidValidity === null || uidNext === null) return [];
      // Without a modification sequence, the first poll reads all flags.
      return [[key, { uidValidity, uidNext, highestModSeq: null }] as const];
    }),
  );
  return Effect.fnUntraced(function* (now: number, hasMoved = false) {
    const until = now + Duration.toMillis(WATCHED_FOR);
    const isWatched = (yield* watches.selectWatched([account])).has(account);
    const followsPresent = follow === "all" && !hasMoved;
    if (followsPresent) yield* mailboxes.beginAll(account, present);
    else yield* mailboxes.endAll(account);
    if (isWatched) yield* watches.erase(account);
    else if (followsPresent && present.has("inbox")) yield* mailboxes.moveTo(account, "inbox", present.get("inbox")!);
    if (isWatched || follow === "all") yield* watches.add(account, until);
  });
});

/** Returns an account with its followed folders. */
export const showFollowing = Effect.fnUntraced(function* (
  { directory, mailboxes, followsOf }: PortsToFollow,
  id: AccountId,
) {
  const found = yield* directory.find(id);
  if (Option.isNone(found)) return yield* new AccountNotFound();
  const follow = followsOf(found.value);
  const following = follow === "all" ? yield* mailboxes.progress(id) : null;
  return { account: found.value, follow, following } satisfies FollowedAccount;
});

/** Changes which folders of an account are followed; a repeated call changes nothing. */
export const follow = Effect.fn("AccountChanges.follow")(function* (on: PortsToFollow, id: AccountId, wanted: Follow) {
  const { directory, transaction } = on;
  yield* checkAccount({ follow: wanted });
  const before = yield* showFollowing(on, id);
  const start = yield* startFollowing(on, before.account, wanted);
  if (start === null) return before;
  yield* transaction.run(
    Effect.gen(function* () {
      yield* directory.change(id, (known) => [undefined, { ...known, follow: wanted }]);
      yield* start(yield* Clock.currentTimeMillis);
      yield* recordOperation("accounts.change", { account: id });
    }),
  );
  return yield* showFollowing(on, id);
});

/** An account with its followed folders. `following` is the progress of recording its messages; null if only INBOX is followed. */
export interface FollowedAccount {
  readonly account: Account;
  readonly follow: Follow;
  readonly following: FollowingProgress | null;
}
