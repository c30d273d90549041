import { Clock, Context, Effect, Layer, Option } from "effect";
import type { MailServerError } from "../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import type { ConnectionCause } from "./ConnectionCause.ts";
import { isSeenDue, seen, unreached } from "./account-state.ts";
import { AccountDirectory } from "./ports/AccountDirectory.ts";

const CAUSES: { readonly [Reason in MailServerError["reason"]]: ConnectionCause } = {
  unreachable: "refused",
  untrusted: "certificate_untrusted",
  timeout: "timeout",
  busy: "too_many_connections",
  limited: "too_many_connections",
  protocol: "protocol",
  not_permitted: "imap_disabled",
  over_quota: "protocol",
};

/** Records whether an account's mail server answers, as those who use it find out (spec 10.3). */
export class AccountStanding extends Context.Service<
  AccountStanding,
  {
    /** The mail server accepted the account. Writes at most every five minutes, unless the state changes. */
    readonly accepted: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** The mail server failed repeatedly. */
    readonly unreachable: (account: AccountId, error: MailServerError) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/accounts/AccountStanding") {
  static readonly layer = Layer.effect(
    AccountStanding,
    Effect.gen(function* () {
      const directory = yield* AccountDirectory;

      return AccountStanding.of({
        accepted: Effect.fnUntraced(function* (account) {
          const now = yield* Clock.currentTimeMillis;
          const found = yield* directory.find(account);
          if (!Option.exists(found, (known) => isSeenDue(known, now))) return;
          yield* directory.change(account, (known) => [undefined, seen(known, now)]);
        }),
        unreachable: Effect.fnUntraced(function* (account, { reason }) {
          const now = yield* Clock.currentTimeMillis;
          yield* directory.change(account, (known) => [undefined, unreached(known, CAUSES[reason], now)]);
        }),
      });
    }),
  );
}
