import { Clock, Context, Duration, Effect, Layer } from "effect";
import type { MailboxAccessError } from "../mail/index.ts";
import { type AccountId, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { AccountWatches } from "./ports/AccountWatches.ts";
import { FollowedMailboxes } from "./ports/FollowedMailboxes.ts";
import { InboxWatch } from "./ports/InboxWatch.ts";

/** How long an account is watched unless the watch is extended. */
export const WATCHED_FOR = Duration.minutes(1);

/** Starts watching accounts (spec 7): later arrivals are announced, earlier ones are not. */
export class WatchStarter extends Context.Service<
  WatchStarter,
  {
    /**
     * Starts or extends the watch of an account. Called before an endpoint is returned or a stream begins, and repeated
     * within `WATCHED_FOR` while a stream is open; an endpoint keeps the watch by itself. As a `first watch` it waits
     * behind requests and running watches if a mail host limits new connections.
     */
    readonly begin: (
      account: AccountId,
      purpose?: "request" | "first watch",
    ) => Effect.Effect<void, MailboxAccessError>;
    /** Starts or extends the watch of an account at its stored cursor: what arrived since then is announced. */
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

      const begin = Effect.fn("WatchStarter.begin")(function* (
        account: AccountId,
        purpose: "request" | "first watch" = "request",
      ) {
        const until = yield* endOfWatch;
        if (yield* watches.extend(account, until)) return;
        const present = yield* inbox.readCursor(account, purpose);
        yield* transaction.run(
          Effect.gen(function* () {
            if (yield* watches.add(account, until)) yield* mailboxes.moveTo(account, "inbox", present);
          }),
        );
      });

      const resume = Effect.fn("WatchStarter.resume")(function* (account: AccountId) {
        yield* watches.add(account, yield* endOfWatch);
      });

      return WatchStarter.of({ begin, resume });
    }),
  );
}

const endOfWatch = Effect.map(Clock.currentTimeMillis, (now) => now + Duration.toMillis(WATCHED_FOR));
