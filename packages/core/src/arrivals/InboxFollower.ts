import { Clock, Context, Duration, Effect, Layer, Option, Random, RcMap, Semaphore } from "effect";
import type { MailboxAccessError } from "../mail/index.ts";
import { AccountDirectory, AccountStanding } from "../accounts/index.ts";
import { followsAllFolders } from "../accounts/neighbours.ts";
import { MailCredentials } from "../oauth/index.ts";
import { Folders } from "../folders/index.ts";
import { type AccountId, Transaction } from "../shared/index.ts";
import { type ClaimedWatch } from "../watch/neighbours.ts";
import {
  AccountWatches,
  FollowedMailboxes,
  InboxWatch,
  LiveInboxes,
  type WatchedInbox,
  type WatchKind,
} from "../watch/index.ts";
import { ArrivalSync } from "./ArrivalSync.ts";
import { BACKFILL_INTERVAL } from "./catch-up.ts";
import { checkHeld } from "./check-held.ts";
import type { WatchLost } from "./errors.ts";
import { followFolders } from "./follow-folders.ts";
import { INBOX } from "./FollowedFolder.ts";
import { refusalReporter, reportRefusal } from "./report-refusals.ts";

/** How often the folders of a watched account are listed. */
const LIST_INTERVAL = Duration.minutes(2);
/** The first and the longest wait after a failure. Each wait is twice as long as the one before. */
const FIRST_WAIT = Duration.millis(250);
const MAX_WAIT = Duration.seconds(8);
/** The number of consecutive failures, within about four seconds, after which an account counts as unreachable. */
const FAILURES_UNREACHABLE = 5;
/** How many watches of one kind are opened concurrently at one mail host. A host that does not respond delays no other host. */
const MAX_CONCURRENT_OPENS = 16;
/** How many mailboxes are read concurrently. The first poll reads a whole mailbox. */
const MAX_CONCURRENT_READS = 16;
/** The longest wait between two reads of the stored credential after the server rejected one. */
const MAX_CREDENTIAL_WAIT = Duration.seconds(15);

/** Follows one account while this node has its watch, and retries when the mail server fails (spec 7). */
export class InboxFollower extends Context.Service<
  InboxFollower,
  {
    /** Follows an account until the watch is lost. */
    readonly follow: (node: string, watch: ClaimedWatch) => Effect.Effect<void>;
  }
>()("@postern/core/arrivals/InboxFollower") {
  static readonly layer = Layer.effect(
    InboxFollower,
    Effect.gen(function* () {
      const inboxes = yield* InboxWatch;
      const watches = yield* AccountWatches;
      const live = yield* LiveInboxes;
      const arrivals = yield* ArrivalSync;
      const { sync, record } = arrivals;
      const mailboxes = yield* FollowedMailboxes;
      const followsAll = yield* followsAllFolders;
      const folders = yield* Folders;
      const transaction = yield* Transaction;
      const standing = yield* AccountStanding;
      const reporter = yield* refusalReporter;
      const credentials = yield* MailCredentials;
      const directory = yield* AccountDirectory;
      const opening = yield* RcMap.make<string, Semaphore.Semaphore, never, never>({
        lookup: () => Semaphore.make(MAX_CONCURRENT_OPENS),
      });
      const withReadPermit = (yield* Semaphore.make(MAX_CONCURRENT_READS)).withPermits(1);

      /** Opens INBOX. Few are opened at once for each host and kind, so first watches may wait long. */
      const open = Effect.fnUntraced(function* (account: AccountId, kind: WatchKind) {
        const found = yield* directory.find(account);
        const host = Option.match(found, { onNone: () => undefined, onSome: ({ servers }) => servers?.imap.host });
        const turn = yield* RcMap.get(opening, `${kind} at ${host ?? "the operator's"}`);
        return yield* turn.withPermits(1)(inboxes.open(account, kind));
      });

      const followConnected = Effect.fnUntraced(function* (
        node: string,
        watch: ClaimedWatch,
        kind: WatchKind,
        resetFailures: () => void,
      ) {
        const { account } = watch;
        yield* Effect.addFinalizer(() => Effect.sync(() => live.markChanged(account)));
        const read = Effect.fnUntraced(function* (inbox: WatchedInbox, isBehind: boolean) {
          const confirmRead = live.startReading(account);
          const isPresent = yield* sync(node, watch, inbox, isBehind);
          confirmRead();
          yield* Effect.ignore(standing.recordAnswer(account));
          return isPresent;
        });
        // A first watch announces no backfill, because messages that arrived before the watch are not arrivals.
        const isBehind = kind === "watch";
        const inbox = yield* open(account, kind);
        const confirm = checkHeld(watches, node, watch);
        yield* Effect.forkScoped(credentials.keepFresh(account));
        if (followsAll(yield* directory.find(account))) {
          const recordAnswer = Effect.ignore(standing.recordAnswer(account));
          const done = Effect.andThen(Effect.sync(resetFailures), recordAnswer);
          const on = { arrivals, folders, mailboxes, live, transaction, confirm };
          return yield* followFolders(on, node, watch, inbox, isBehind, done);
        }
        while (!(yield* withReadPermit(read(inbox, isBehind)))) yield* Effect.sleep(BACKFILL_INTERVAL);
        for (;;) {
          resetFailures();
          yield* folders.sync(account, inbox.folders, confirm);
          const next =
            (yield* Clock.currentTimeMillis) + Duration.toMillis(LIST_INTERVAL) * (0.75 + (yield* Random.next) / 2);
          for (let now = 0; now < next; now = yield* Clock.currentTimeMillis) {
            // Existing messages are recorded in slices, so that arrivals do not wait for them.
            if (yield* withReadPermit(record(node, watch, { folder: INBOX, mailbox: inbox }))) {
              const left = Math.max(1, next - (yield* Clock.currentTimeMillis));
              yield* Effect.timeoutOption(inbox.changed, left);
            }
            yield* read(inbox, false);
          }
        }
      }, Effect.scoped);

      const follow = Effect.fn("InboxFollower.follow")(function* (node: string, watch: ClaimedWatch) {
        let [failures, rejections] = [0, 0];
        let kind: WatchKind = watch.isFirst ? "first watch" : "watch";
        const resetFailures = () => {
          [failures, rejections] = [0, 0];
          kind = "watch";
        };
        const afterFailure = (error: MailboxAccessError | WatchLost) =>
          Effect.gen(function* () {
            if (error._tag === "WatchLost") return false;
            if (error._tag === "MailboxCredentialsRejected") {
              yield* Effect.ignore(reportRefusal(reporter, watch.account));
              // A user who signs out often signs in again at once. Only the store is read: the rejected credential is not sent again.
              const wait = Duration.times(FIRST_WAIT, 2 ** Math.min(rejections++, 6));
              yield* Effect.sleep(Duration.min(wait, MAX_CREDENTIAL_WAIT));
              return true;
            }
            yield* Effect.logDebug("watching an account failed", error);
            if (++failures === FAILURES_UNREACHABLE && error._tag === "MailServerError") {
              yield* Effect.ignore(standing.recordUnreachable(watch.account, error));
            }
            const wait = Duration.min(Duration.times(FIRST_WAIT, 2 ** (failures - 1)), MAX_WAIT);
            yield* Effect.sleep(Duration.times(wait, 0.5 + (yield* Random.next) / 2));
            return true;
          });
        const attempt = Effect.suspend(() => followConnected(node, watch, kind, resetFailures)).pipe(
          Effect.catch(afterFailure),
          // A defect in handling one message or account must not end the watch.
          Effect.catchDefect((defect) =>
            Effect.andThen(Effect.logError("watching failed", defect), Effect.as(Effect.sleep(MAX_WAIT), true)),
          ),
        );
        while (yield* attempt);
      });

      return InboxFollower.of({ follow });
    }),
  );
}
