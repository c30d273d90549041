import { Context, Effect, Layer } from "effect";
import { AccountDirectory } from "../accounts/index.ts";
import { reachEntriesOf } from "../accounts/neighbours.ts";
import { eventAccount } from "../events/neighbours.ts";
import { type AccountId, OpaqueIds, type StoreUnavailable } from "../shared/index.ts";
import { ApplicationEvents } from "./ApplicationEvents.ts";
import { Endpoints } from "./ports/Endpoints.ts";

/** Reports removed accounts to the endpoints of applications (spec 10.3). */
export class RemovalEvents extends Context.Service<
  RemovalEvents,
  {
    /** Publishes `account.removed` in the transaction that removes the account, before anything of it is erased. */
    readonly publish: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/webhooks/RemovalEvents") {
  static readonly layer = Layer.effect(
    RemovalEvents,
    Effect.gen(function* () {
      const directory = yield* AccountDirectory;
      const endpoints = yield* Endpoints;
      const events = yield* ApplicationEvents;
      const ids = yield* OpaqueIds;

      return RemovalEvents.of({
        publish: Effect.fn("RemovalEvents.publish")(function* (account) {
          const entries = reachEntriesOf(yield* directory.find(account));
          const subscribed = yield* endpoints.subscribed(account, entries, "account.removed");
          const byApplication = Map.groupBy(subscribed, ({ owner }) =>
            owner._tag === "Application" ? owner.application : undefined,
          );
          for (const [application, all] of byApplication) {
            if (application === undefined) continue;
            const data = { email: account };
            yield* events.publish(application, all, {
              account: eventAccount(ids, account),
              type: "account.removed",
              data,
            });
          }
        }),
      });
    }),
  ).pipe(Layer.provide(ApplicationEvents.layer));
}
