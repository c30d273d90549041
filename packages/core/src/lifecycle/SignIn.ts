import { Clock, Context, Duration, Effect, Layer, Option, type Redacted } from "effect";
import { FollowedMailboxes } from "../watch/index.ts";
import {
  AccountDirectory,
  AccountEvents,
  newAccount,
  seen,
  type SignInPlace,
  SignInServers,
} from "../accounts/index.ts";
import { type AccountId, accountIdOf, Entropy, type StoreUnavailable, Transaction } from "../shared/index.ts";
import type { MailServerError } from "../mail/index.ts";
import { OutgoingJournal } from "../send/index.ts";
import {
  AddressMalformed,
  type CookieSession,
  CredentialVault,
  Fingerprints,
  LoginRefused,
  LoginThrottle,
  type PasswordCredential,
  MailLogin,
  type PasswordRefused,
  REFRESH_LIFETIME,
  type Session,
  type SessionClient,
  Sessions,
  type SessionStart,
  startBearerSession,
  startCookieSession,
  TokenIssuer,
  type TokenPair,
  type TooManyLoginFailures,
} from "../auth/index.ts";
import { answeredLate } from "./answered-late.ts";
import { AccountRemoval } from "./AccountRemoval.ts";

/** Why a sign-in failed. */
export type SignInError =
  | AddressMalformed
  | LoginRefused
  | PasswordRefused
  | TooManyLoginFailures
  | MailServerError
  | StoreUnavailable;

/** Signs users in: the mail server verifies the credential, which is stored, and a session starts (spec 3.2). */
export class SignIn extends Context.Service<
  SignIn,
  {
    /** Signs in an API client; returns a pair of tokens. */
    readonly withPassword: (
      email: string,
      password: Redacted.Redacted,
      client: SessionClient,
    ) => Effect.Effect<TokenPair, SignInError>;
    /** Signs in a browser; returns the secret of its cookie, which is stored only as a hash. */
    readonly forBrowser: (
      email: string,
      password: Redacted.Redacted,
      client: SessionClient,
    ) => Effect.Effect<{ readonly cookie: string; readonly session: CookieSession }, SignInError>;
  }
>()("@postern/core/lifecycle/SignIn") {
  static readonly layer = Layer.effect(
    SignIn,
    Effect.gen(function* () {
      const throttle = yield* LoginThrottle;
      const removal = yield* AccountRemoval;
      const vault = yield* CredentialVault;
      const sessions = yield* Sessions;
      const mailLogin = yield* MailLogin;
      const servers = yield* SignInServers;
      const directory = yield* AccountDirectory;
      const events = yield* AccountEvents;
      const mailboxes = yield* FollowedMailboxes;
      const journal = yield* OutgoingJournal;
      const transaction = yield* Transaction;
      const fingerprints = yield* Fingerprints;
      const entropy = yield* Entropy;
      const issuer = yield* TokenIssuer;

      const verified = (account: AccountId, credential: PasswordCredential, network: string, place: SignInPlace) => {
        if (place._tag === "Deployment") {
          return throttle.limit(account, credential, network, mailLogin.verify(account, credential));
        }
        const ask =
          place._tag === "Nowhere"
            ? Effect.fail(new LoginRefused())
            : // A server that was discovered is not described to a person without an account there.
              Effect.catchTag(
                mailLogin.verify(account, credential, place.servers.imap),
                "PasswordRefused",
                () => new LoginRefused(),
              );
        return answeredLate(throttle.limit(account, credential, network, ask));
      };

      /** Enters the account in the directory, or records that its mail server accepts it. */
      const enter = Effect.fnUntraced(function* (account: AccountId, place: SignInPlace, now: number) {
        const servers = place._tag === "Discovered" ? place.servers : null;
        if (yield* directory.insert(seen({ ...newAccount(account, now), servers }, now))) return;
        const before = yield* directory.change(account, (known) => [
          known,
          seen({ ...known, servers: known.servers ?? servers }, now),
        ]);
        if (Option.exists(before, ({ refusedAt }) => refusedAt !== null)) yield* events.recovered(account);
      });

      const signIn = Effect.fnUntraced(function* <S extends Session, A, E>(
        email: string,
        password: Redacted.Redacted,
        client: SessionClient,
        begin: (start: SessionStart, now: number) => Effect.Effect<readonly [S, A], E>,
      ) {
        const account = accountIdOf(email);
        if (Option.isNone(account)) return yield* new AddressMalformed();
        const credential = { _tag: "Password", username: email, password } as const;
        const logged = { account: fingerprints.ofAccount(account.value) };
        const place = yield* servers.of(account.value);
        const present = yield* Effect.tapError(
          verified(account.value, credential, client.network, place),
          ({ _tag: reason }) => Effect.logInfo("sign-in refused", { ...logged, reason }),
        );
        const start = { id: yield* entropy.id(128), account: account.value, client };
        const now = yield* Clock.currentTimeMillis;
        const [session, answer] = yield* begin(start, now);
        yield* removal.finish(account.value);
        yield* transaction.run(
          Effect.gen(function* () {
            yield* enter(account.value, place, now);
            yield* vault.keep(account.value, credential);
            yield* mailboxes.begin(account.value, "inbox", present);
            yield* sessions.insert(session);
            // Resumes outgoing messages that wait for a working password.
            yield* journal.resume(account.value, now);
          }),
        );
        yield* Effect.logInfo("signed in", { ...logged, session: session.kind });
        return answer;
      });

      return SignIn.of({
        withPassword: Effect.fn("SignIn.withPassword")((email, password, client) =>
          signIn(
            email,
            password,
            client,
            Effect.fnUntraced(function* (start, now) {
              const refresh = yield* issuer.refresh(start, now, now + Duration.toMillis(REFRESH_LIFETIME));
              const pair: TokenPair = { ...(yield* issuer.access(start)), refreshToken: refresh.token };
              return [startBearerSession(start, refresh.kept, now), pair] as const;
            }),
          ),
        ),
        forBrowser: Effect.fn("SignIn.forBrowser")((email, password, client) =>
          signIn(
            email,
            password,
            client,
            Effect.fnUntraced(function* (start, now) {
              const cookie = yield* entropy.id(256);
              const session = startCookieSession(start, fingerprints.ofToken(cookie), now);
              return [session, { cookie, session }] as const;
            }),
          ),
        ),
      });
    }),
  ).pipe(Layer.provide(TokenIssuer.layer));
}
