import { Context, Duration, Effect, Layer, Option } from "effect";
import { CredentialVault, type MailCredential } from "../auth/index.ts";
import { type MailboxAccessError, MailboxCredentialsRejected, MailServerError } from "../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import { AccessTokens, type TokenError } from "./AccessTokens.ts";
import { CredentialRefusals } from "./CredentialRefusals.ts";

/** Pause before the store is asked again whether an account has a grant. */
const STORE_AGAIN = Duration.seconds(1);

/** A credential to sign in with now. A new sign-in or consent changes the version; a refreshed token does not. */
export interface CurrentCredential {
  readonly credential: MailCredential;
  readonly version: number;
}

/** The credentials with which adapters sign accounts in at their mail servers: a password or an access token. */
export class MailCredentials extends Context.Service<
  MailCredentials,
  {
    /** Returns the credential. Fails if it was refused before or none is stored. */
    readonly of: (account: AccountId) => Effect.Effect<CurrentCredential, MailboxAccessError>;
    /** Returns the version of the credential without the credential. */
    readonly version: (account: AccountId) => Effect.Effect<number, MailboxCredentialsRejected | StoreUnavailable>;
    /**
     * Returns whether another try is worth it after the server refused this credential: true where its access token was
     * replaced by a new one. False for a password, and for a token that itself replaced a refused one.
     */
    readonly renew: (account: AccountId, refused: CurrentCredential) => Effect.Effect<boolean, MailboxAccessError>;
    /** Keeps an access token fresh for as long as a session is used that it opened. Does nothing for a password. */
    readonly keepFresh: (account: AccountId) => Effect.Effect<never>;
    /** Records that the server refused this credential: nothing signs in with it again. */
    readonly reject: (account: AccountId, refused: CurrentCredential) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/oauth/MailCredentials") {
  static readonly layer = Layer.effect(
    MailCredentials,
    Effect.gen(function* () {
      const vault = yield* CredentialVault;
      const tokens = yield* AccessTokens;
      const refusals = yield* CredentialRefusals;

      return MailCredentials.of({
        of: Effect.fnUntraced(function* (account) {
          const { version, ...kept } = yield* vault.reveal(account);
          if (kept._tag === "Password") return { credential: kept, version };
          const token = yield* asAccess(tokens.of(account));
          return { credential: { _tag: "AccessToken", username: kept.username, token }, version };
        }),
        version: vault.version,
        renew: (account, { credential }) =>
          credential._tag === "Password" ? Effect.succeed(false) : asAccess(tokens.renew(account, credential.token)),
        keepFresh: (account) =>
          // A session lasts for days: a store that is away for a moment must not leave its token to expire.
          Effect.flatMap(
            Effect.eventually(Effect.tapError(vault.find(account), () => Effect.sleep(STORE_AGAIN))),
            (kept) =>
              Option.isSome(Option.filter(kept, ({ _tag }) => _tag === "Grant"))
                ? tokens.keepFresh(account)
                : Effect.never,
          ),
        reject: Effect.fnUntraced(function* (account, { credential, version }) {
          if (credential._tag === "AccessToken") return yield* tokens.reject(account);
          yield* vault.markRejected(account, version);
          yield* refusals.announce;
        }),
      });
    }),
  );
}

/** Says in the words of the mailbox why there is no token. */
const asAccess = <A>(token: Effect.Effect<A, TokenError>): Effect.Effect<A, MailboxAccessError> =>
  Effect.catchTags(token, {
    GrantRefused: () => Effect.fail(new MailboxCredentialsRejected()),
    AppMisconfigured: () => Effect.fail(noToken("the provider refuses the OAuth2 app")),
    ProviderUnavailable: () => Effect.fail(noToken("the OAuth2 provider issues no token now")),
  });

const noToken = (detail: string) => new MailServerError({ reason: "unreachable", operation: "token", detail });
