import { Clock, Context, Effect, Layer, Option } from "effect";
import type { MailServerError } from "../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import type { Account } from "./Account.ts";
import type { ConnectionCause } from "./ConnectionCause.ts";
import { recordAccepted, recordAnswer, recordDoubt, shouldRecordSeen, recordUnreachable } from "./account-state.ts";
import { AccountPaused } from "./errors.ts";
import { AccountDirectory } from "./ports/AccountDirectory.ts";

/** The cause to record for each failure; null if the failure says nothing about the server, or if other code records the failure. */
const CAUSES: { readonly [Reason in MailServerError["reason"]]: ConnectionCause | null } = {
  unreachable: "refused",
  untrusted: "certificate_untrusted",
  timeout: "timeout",
  busy: "unavailable",
  limited: null,
  protocol: "protocol",
  flood: "server_flood",
  not_permitted: "imap_disabled",
  over_quota: "protocol",
  sign_in_unclear: null,
  provider_unavailable: null,
  app_misconfigured: null,
  credential_unreadable: null,
};

/** The minimum time between two reads of the account's state in a working session. */
const RECHECK_INTERVAL_MILLIS = 5_000;
/** The number of accounts whose last check this process remembers. A forgotten account costs one more query. */
const MAX_REMEMBERED = 10_000;

/**
 * Records whether an account may be used and whether its mail server answers, as attempts to use the account show (spec
 * 10.3).
 */
export class AccountStanding extends Context.Service<
  AccountStanding,
  {
    /** Fails while the account is paused. */
    readonly checkNotPaused: (account: AccountId) => Effect.Effect<void, AccountPaused | StoreUnavailable>;
    /** Records that the mail server accepted the credential. Writes at most every five minutes, unless the state changes. */
    readonly recordAccepted: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Records that the mail server answered in an open session. Reads the account at most every five seconds. */
    readonly recordAnswer: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /** Records that the mail server failed repeatedly. */
    readonly recordUnreachable: (account: AccountId, error: MailServerError) => Effect.Effect<void, StoreUnavailable>;
    /** Records that the mail server refused the credential without saying why. Returns whether an earlier refusal is now confirmed. */
    readonly recordDoubt: (account: AccountId) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/accounts/AccountStanding") {
  static readonly layer = Layer.effect(
    AccountStanding,
    Effect.gen(function* () {
      const directory = yield* AccountDirectory;
      const lastLooks = new Map<AccountId, number>();

      const record = Effect.fnUntraced(function* (
        account: AccountId,
        now: number,
        next: (known: Account, now: number) => Account,
      ) {
        const found = yield* directory.find(account);
        if (!Option.exists(found, (known) => shouldRecordSeen(known, now) && next(known, now) !== known)) return;
        yield* directory.change(account, (known) => [undefined, next(known, now)]);
      });

      return AccountStanding.of({
        checkNotPaused: Effect.fnUntraced(function* (account) {
          const found = yield* directory.find(account);
          if (Option.exists(found, ({ pausedAt }) => pausedAt !== null)) return yield* new AccountPaused();
        }),
        recordAccepted: Effect.fnUntraced(function* (account) {
          yield* record(account, yield* Clock.currentTimeMillis, recordAccepted);
        }),
        recordAnswer: Effect.fnUntraced(function* (account) {
          const now = yield* Clock.currentTimeMillis;
          if (now - (lastLooks.get(account) ?? -Infinity) < RECHECK_INTERVAL_MILLIS) return;
          if (lastLooks.size >= MAX_REMEMBERED) lastLooks.clear();
          lastLooks.set(account, now);
          yield* record(account, now, recordAnswer);
        }),
        recordUnreachable: Effect.fnUntraced(function* (account, { reason }) {
          const now = yield* Clock.currentTimeMillis;
          const cause = CAUSES[reason];
          if (cause !== null)
            yield* directory.change(account, (known) => [undefined, recordUnreachable(known, cause, now)]);
        }),
        recordDoubt: Effect.fnUntraced(function* (account) {
          const now = yield* Clock.currentTimeMillis;
          const isConfirmed = yield* directory.change(account, (known) => recordDoubt(known, now));
          return Option.getOrElse(isConfirmed, () => true);
        }),
      });
    }),
  );
}
