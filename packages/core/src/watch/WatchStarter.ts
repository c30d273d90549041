import { Clock, Context, Data, Duration, Effect, Layer } from "effect";
import type { MailboxAccessError } from "../mail/index.ts";
import { type AccountId, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { IdScopes } from "../shared/neighbours.ts";
import { AccountWatches } from "./ports/AccountWatches.ts";
import { FollowedMailboxes } from "./ports/FollowedMailboxes.ts";
import { InboxWatch } from "./ports/InboxWatch.ts";
import { EXTENDED_EVERY } from "./keep-watched.ts";
import { matchFingerprints } from "./match-fingerprints.ts";
import { isSameState } from "./same-state.ts";
import type { SeenMessage } from "./SeenMessage.ts";

/** How long an account is watched at least without a reason. */
export const WATCHED_FOR = Duration.minutes(1);

/** Starts watching accounts (spec 7). Later arrivals are announced; earlier arrivals are not. */
export class WatchStarter extends Context.Service<
  WatchStarter,
  {
    /**
     * Starts or extends the watch of an account. Callers call it before they return an endpoint or begin a stream, and
     * extend it with `keepWatched` while a stream is open. The watch of an account with an endpoint is extended
     * automatically. If new connections to the mail host are limited, a first watch waits behind requests and running
     * watches.
     */
    readonly begin: (
      account: AccountId,
      purpose?: "request" | "first watch",
    ) => Effect.Effect<void, MailboxAccessError>;
    /** Starts or extends the watch of an account at its stored cursor, so that messages since then are announced. */
    readonly resume: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/watch/WatchStarter") {
  static readonly layer = Layer.effect(
    WatchStarter,
    Effect.gen(function* () {
      const watches = yield* AccountWatches;
      const mailboxes = yield* FollowedMailboxes;
      const inbox = yield* InboxWatch;
      const transaction = yield* Transaction;
      const scopes = yield* IdScopes;

      /** Expects no longer the messages that Postern had moved into INBOX before it was read. */
      const forgetArrived = Effect.fnUntraced(function* (account: AccountId, present: ReadonlyArray<SeenMessage>) {
        const expected = yield* mailboxes.listExpected(account, "inbox", yield* Clock.currentTimeMillis);
        if (expected.length === 0) return;
        const missing = new Set(matchFingerprints(present, expected).missing.map(({ id }) => id));
        const arrived = expected.flatMap(({ id }) => (missing.has(id) ? [] : [id]));
        if (arrived.length > 0) yield* mailboxes.forgetExpected(account, "inbox", arrived);
      });

      const beginOnce = Effect.fnUntraced(function* (account: AccountId, purpose: "request" | "first watch") {
        if (yield* watches.extend(account, yield* endOfWatch)) return;
        const [before, scope] = yield* Effect.all([mailboxes.find(account, "inbox"), scopes.of(account)]);
        const { cursor, newest } = yield* inbox.readPresent(account, purpose);
        yield* transaction.run(
          Effect.gen(function* () {
            if (!(yield* watches.add(account, yield* endOfWatch))) return;
            // Meanwhile the account may have moved to other servers, or a short watch may have announced messages.
            const isCurrent = isSameState(before, yield* mailboxes.find(account, "inbox"));
            if (!isCurrent || (yield* scopes.of(account)) !== scope) return yield* new InboxMoved();
            yield* mailboxes.moveTo(account, "inbox", cursor);
            // The newest messages may change before the follower has recorded older messages.
            if (newest.uidValidity !== cursor.uidValidity) return;
            yield* mailboxes.backfill(account, "inbox", { from: newest.from, below: cursor.uidNext }, newest.messages);
            yield* forgetArrived(account, newest.messages);
          }),
        );
      });

      const begin = Effect.fn("WatchStarter.begin")(function* (
        account: AccountId,
        purpose: "request" | "first watch" = "request",
      ) {
        const isBegun = Effect.as(beginOnce(account, purpose), true);
        while (!(yield* Effect.catchTag(isBegun, "InboxMoved", () => Effect.succeed(false))));
      });

      const resume = Effect.fn("WatchStarter.resume")(function* (account: AccountId) {
        yield* watches.add(account, yield* endOfWatch);
      });

      return WatchStarter.of({ begin, resume });
    }),
  );
}

/** What a beginning watch read of INBOX no longer continues what is stored. */
class InboxMoved extends Data.TaggedError("InboxMoved") {}

/** A stream, or its process, may end just before it extends the watch again. */
const endOfWatch = Effect.map(
  Clock.currentTimeMillis,
  (now) => now + Duration.toMillis(Duration.sum(WATCHED_FOR, EXTENDED_EVERY)),
);
