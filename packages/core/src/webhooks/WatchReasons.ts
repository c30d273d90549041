import { Context, Duration, Effect, Layer, Option } from "effect";
import { AccountDirectory, stateOf } from "../accounts/index.ts";
import { reachEntriesOf } from "../accounts/neighbours.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import { AccountWatches } from "../watch/index.ts";
import { ownedBy } from "./endpoint-owner.ts";
import { Endpoints } from "./ports/Endpoints.ts";

/** How long an account with an endpoint is watched before the reason is checked again. */
const CHECK_AFTER = Duration.minutes(10);

/**
 * Decides whether to watch an account without open streams (spec 7, 10.3): it is not paused, and has an endpoint or,
 * if it is managed, is reached by one of an application, enabled or not.
 */
export class WatchReasons extends Context.Service<
  WatchReasons,
  {
    /** Extends the watch of an account if there is a reason; returns whether it did. */
    readonly prolong: (account: AccountId, now: number) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/webhooks/WatchReasons") {
  static readonly layer = Layer.effect(
    WatchReasons,
    Effect.gen(function* () {
      const endpoints = yield* Endpoints;
      const directory = yield* AccountDirectory;
      const watches = yield* AccountWatches;

      return WatchReasons.of({
        prolong: Effect.fn("WatchReasons.prolong")(function* (account, now) {
          const found = yield* directory.find(account);
          if (Option.exists(found, (known) => stateOf(known) === "paused")) return false;
          const hasReason =
            (yield* endpoints.list(ownedBy(account))).length > 0 || (yield* endpoints.isReached(reachEntriesOf(found)));
          if (!hasReason) return false;
          return yield* watches.extend(account, now + Duration.toMillis(CHECK_AFTER));
        }),
      });
    }),
  );
}
