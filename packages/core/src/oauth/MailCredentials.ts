import { Context, Duration, Effect, Layer, Option } from "effect";
import { AccountStanding } from "../accounts/index.ts";
import { CredentialVault, type MailCredential } from "../auth/index.ts";
import { type MailboxAccessError, MailboxCredentialsRejected, MailServerError } from "../mail/index.ts";
import { type AccountId, StoreUnavailable } from "../shared/index.ts";
import { AccessTokens, type TokenError } from "./AccessTokens.ts";
import { CredentialRefusals } from "./CredentialRefusals.ts";

/** The pause before another attempt to read an account's grant from the store. */
const STORE_RETRY_PAUSE = Duration.seconds(1);
/** How often the session of an account with a password checks whether its user has consented: well within the lifetime of a token. */
const CONSENT_CHECK_INTERVAL = Duration.minutes(5);

/** The credential for signing in now. A new sign-in or consent changes the version; a refreshed token does not. */
export interface CurrentCredential {
  readonly credential: MailCredential;
  readonly version: number;
}

/** Provides the credentials with which adapters sign accounts in at their mail servers: a password or an access token. */
export class MailCredentials extends Context.Service<
  MailCredentials,
  {
    /** Returns the credential. Fails if the credential was refused before, or none is stored. */
    readonly of: (account: AccountId) => Effect.Effect<CurrentCredential, MailboxAccessError>;
    /** Returns the version of the credential without the credential. */
    readonly version: (account: AccountId) => Effect.Effect<number, MailboxCredentialsRejected | StoreUnavailable>;
    /**
     * Returns whether to try again after the server refused this credential. True if a new access token replaced the
     * refused token; false for a password, and for a token that had replaced a refused token.
     */
    readonly renew: (account: AccountId, refused: CurrentCredential) => Effect.Effect<boolean, MailboxAccessError>;
    /** Keeps an account's access token fresh while a session is in use, even if the user consents after it began. */
    readonly keepFresh: (account: AccountId) => Effect.Effect<never>;
    /**
     * Records that the server refused this credential, and fails. A refusal that is `explained` is final: Postern never
     * signs in with this credential again. A refusal without a reason is final only if it follows another one by at
     * least a minute.
     */
    readonly reject: (
      account: AccountId,
      refused: CurrentCredential,
      explained: boolean,
    ) => Effect.Effect<never, MailboxAccessError>;
    /**
     * Records that the account's mail server accepted its credential. Never fails: if the store is down, the next use
     * records the acceptance.
     */
    readonly recordAccepted: (account: AccountId) => Effect.Effect<void>;
    /** Records that the account's mail server answered in an open session. */
    readonly recordAnswer: (account: AccountId) => Effect.Effect<void>;
  }
>()("@postern/core/oauth/MailCredentials") {
  static readonly layer = Layer.effect(
    MailCredentials,
    Effect.gen(function* () {
      const vault = yield* CredentialVault;
      const tokens = yield* AccessTokens;
      const refusals = yield* CredentialRefusals;
      const standing = yield* AccountStanding;

      return MailCredentials.of({
        of: Effect.fnUntraced(function* (account): Effect.fn.Return<CurrentCredential, MailboxAccessError> {
          const { version, ...kept } = yield* vault.reveal(account);
          if (kept._tag === "Password") return { credential: kept, version };
          const token = yield* toAccessError(tokens.of(account));
          return { credential: { _tag: "AccessToken", username: kept.username, token }, version };
        }, mapSealedError),
        version: vault.version,
        renew: (account, { credential }) =>
          credential._tag === "Password"
            ? Effect.succeed(false)
            : toAccessError(tokens.renew(account, credential.token)),
        keepFresh: (account) =>
          // A session lasts for days, so a short outage of the store must not let its token expire.
          Effect.forever(
            Effect.flatMap(
              Effect.eventually(Effect.tapError(vault.find(account), () => Effect.sleep(STORE_RETRY_PAUSE))),
              (kept) =>
                Option.isSome(Option.filter(kept, ({ _tag }) => _tag === "Grant"))
                  ? tokens.keepFresh(account)
                  : Effect.sleep(CONSENT_CHECK_INTERVAL),
            ),
          ),
        reject: Effect.fnUntraced(function* (account, { credential, version }, explained) {
          if (!explained && !(yield* standing.recordDoubt(account))) return yield* UNCLEAR;
          if (credential._tag === "AccessToken") {
            yield* tokens.reject(account, credential.token);
          } else {
            yield* vault.markRejected(account, version);
            yield* refusals.announce;
          }
          return yield* new MailboxCredentialsRejected();
        }),
        recordAccepted: (account) => Effect.ignore(standing.recordAccepted(account)),
        recordAnswer: (account) => Effect.ignore(standing.recordAnswer(account)),
      });
    }),
  );
}

/** Converts the reason for a missing token into an error of mailbox access. */
const toAccessError = <A>(token: Effect.Effect<A, TokenError>): Effect.Effect<A, MailboxAccessError> =>
  Effect.catchTags(token, {
    GrantRefused: () => Effect.fail(new MailboxCredentialsRejected()),
    AppMisconfigured: () => Effect.fail(noToken("app_misconfigured", "the provider refuses the OAuth2 app")),
    ProviderUnavailable: () => Effect.fail(noToken("provider_unavailable", "the OAuth2 provider issues no token now")),
  });

/** Reports a row that cannot be decrypted as `credential_unreadable`, not as a failure of the database. */
const mapSealedError = <A, E>(
  found: Effect.Effect<A, E | StoreUnavailable>,
): Effect.Effect<A, E | StoreUnavailable | MailServerError> =>
  Effect.mapError(found, (error) =>
    error instanceof StoreUnavailable && error.isSealed === true
      ? new MailServerError({ reason: "credential_unreadable", operation: "login", detail: error.detail })
      : error,
  );

const noToken = (reason: "app_misconfigured" | "provider_unavailable", detail: string) =>
  new MailServerError({ reason, operation: "token", detail });

const UNCLEAR = Effect.suspend(
  () =>
    new MailServerError({
      reason: "sign_in_unclear",
      operation: "login",
      detail: "the server refused the sign-in without saying why",
    }),
);
