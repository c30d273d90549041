import { Clock, Context, Effect, Layer, Option } from "effect";
import { type Account, AccountDirectory, seen } from "../accounts/index.ts";
import { signingInBy } from "../accounts/neighbours.ts";
import { EventPublisher } from "../events/index.ts";
import { CredentialVault } from "../auth/index.ts";
import { GrantInvalid, Grants, newGrant, OtherIdentity } from "../oauth/index.ts";
import { isSameUser, mayOpen, OTHER_DOMAIN, type OfferedGrant } from "../oauth/neighbours.ts";
import { OutgoingJournal, resume as resumed } from "../send/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";

/** Stores the grants that mail servers accepted (spec 11.2). */
export class GrantKeeping extends Context.Service<
  GrantKeeping,
  {
    /** Fails if the app is for other domains, or another user consented before. */
    readonly check: (
      account: AccountId,
      offered: OfferedGrant,
    ) => Effect.Effect<void, GrantInvalid | OtherIdentity | StoreUnavailable>;
    /** Stores a grant, and resumes the shared mailboxes that it opens. Part of the transaction of the sign-in. */
    readonly keep: (
      account: AccountId,
      username: string,
      offered: OfferedGrant,
    ) => Effect.Effect<void, OtherIdentity | StoreUnavailable>;
  }
>()("@postern/core/lifecycle/GrantKeeping") {
  static readonly layer = Layer.effect(
    GrantKeeping,
    Effect.gen(function* () {
      const grants = yield* Grants;
      const vault = yield* CredentialVault;
      const directory = yield* AccountDirectory;
      const publisher = yield* EventPublisher;
      const journal = yield* OutgoingJournal;

      const checkUser = Effect.fnUntraced(function* (account: AccountId, offered: OfferedGrant) {
        const before = yield* grants.find(account);
        if (Option.isSome(before) && !isSameUser(before.value, offered)) return yield* new OtherIdentity();
      });

      /** A shared mailbox whose grant ended with that of its owner is open again. */
      const resume = Effect.fnUntraced(function* (account: AccountId, now: number) {
        const grant = yield* grants.find(account);
        if (Option.isNone(grant)) return;
        const before = yield* directory.change(account, (known): [Account, Account] => [known, seen(known, now)]);
        yield* grants.keep({ ...grant.value, state: "active", fault: null });
        yield* journal.changeWaiting({ account }, (message) => resumed(message, now));
        if (Option.exists(before, ({ refusedAt }) => refusedAt !== null))
          yield* publisher.publishNow(account, "account.recovered", { email: account });
      });

      return GrantKeeping.of({
        check: Effect.fnUntraced(function* (account, offered) {
          if (!mayOpen(offered.app, account)) return yield* new GrantInvalid({ reason: OTHER_DOMAIN });
          yield* checkUser(account, offered);
        }),
        keep: Effect.fnUntraced(function* (account, username, offered) {
          yield* checkUser(account, offered);
          const now = yield* Clock.currentTimeMillis;
          yield* grants.keep(newGrant(account, username, offered));
          const kind = offered.app.mode === "delegated" ? "oauth2" : "application";
          yield* directory.change(account, (known) => [undefined, signingInBy(known, kind, offered.app.id)]);
          for (const shared of yield* grants.delegates(account)) {
            const isRefused = yield* Effect.match(vault.version(shared), {
              onSuccess: () => false,
              onFailure: () => true,
            });
            if (isRefused) yield* resume(shared, now);
          }
        }),
      });
    }),
  );
}
