import { Context, Duration, Effect, Layer } from "effect";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import { AccountWatches } from "../watch/index.ts";
import { Endpoints } from "./ports/Endpoints.ts";

/** How long an account with an endpoint is watched before the reason is checked again. */
const CHECK_AFTER = Duration.minutes(10);

/** Decides whether to watch an account without open streams (spec 7): it has an endpoint, enabled or not. */
export class WatchReasons extends Context.Service<
  WatchReasons,
  {
    /** Extends the watch of an account if it has an endpoint; returns whether it did. */
    readonly prolong: (account: AccountId, now: number) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/webhooks/WatchReasons") {
  static readonly layer = Layer.effect(
    WatchReasons,
    Effect.gen(function* () {
      const endpoints = yield* Endpoints;
      const watches = yield* AccountWatches;

      return WatchReasons.of({
        prolong: Effect.fn("WatchReasons.prolong")(function* (account, now) {
          if ((yield* endpoints.list(account)).length === 0) return false;
          return yield* watches.extend(account, now + Duration.toMillis(CHECK_AFTER));
        }),
      });
    }),
  );
}
