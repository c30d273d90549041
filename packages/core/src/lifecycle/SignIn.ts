import { Clock, Context, Effect, Layer, Option, Redacted } from "effect";
import { AccountWatches, FollowedMailboxes } from "../watch/index.ts";
import { AccountDirectory, newAccount, recordSeen } from "../accounts/index.ts";
import {
  areSameServers,
  followsAllFolders,
  placeForSignIn,
  serverCandidates,
  type SignInPlace,
} from "../accounts/neighbours.ts";
import { EventPublisher } from "../events/index.ts";
import {
  type AccountId,
  accountIdOf,
  Entropy,
  type InputInvalid,
  type StoreUnavailable,
  Transaction,
} from "../shared/index.ts";
import { checkerOf } from "../shared/neighbours.ts";
import type { AccountServers, MailboxCursor, MailServerError } from "../mail/index.ts";
import type { GrantInvalid, OtherIdentity } from "../oauth/index.ts";
import { type OfferedGrant } from "../oauth/neighbours.ts";
import { OutgoingJournal } from "../send/index.ts";
import { resume } from "../send/neighbours.ts";
import {
  AddressMalformed,
  CredentialVault,
  Fingerprints,
  LoginRefused,
  type MailCredential,
  MailLogin,
  type PasswordCredential,
  type PasswordRefused,
  type Session,
  type SessionClient,
  Sessions,
  SessionTokens,
  type TokenPair,
  type TooManyLoginFailures,
} from "../auth/index.ts";
import { type CookieSession, LoginThrottle, type SessionStart, startCookieSession } from "../auth/neighbours.ts";
import { signInFields } from "../auth/rules.ts";
import { maskFailures } from "./mask-failures.ts";
import { AccountRemoval } from "./AccountRemoval.ts";
import { checkOffered, keepOffered, offeredGrants, placeOfToken } from "./offered-grants.ts";

const checkSignIn = checkerOf(signInFields);

/** The reason why a sign-in failed. */
export type SignInError =
  | InputInvalid
  | AddressMalformed
  | LoginRefused
  | PasswordRefused
  | TooManyLoginFailures
  | MailServerError
  | StoreUnavailable;

/** Signs users in: the mail server verifies the credential, Postern stores it, and a session starts (spec 3.2). */
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
    /** Signs in a browser whose user consented at an OAuth2 provider, if the mail server accepts the token for `email`. */
    readonly withGrant: (
      email: string,
      offered: OfferedGrant,
      client: SessionClient,
    ) => Effect.Effect<
      { readonly cookie: string; readonly session: CookieSession },
      SignInError | GrantInvalid | OtherIdentity
    >;
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
      const candidates = yield* serverCandidates;
      const directory = yield* AccountDirectory;
      const publisher = yield* EventPublisher;
      const mailboxes = yield* FollowedMailboxes;
      const watches = yield* AccountWatches;
      const followsAll = yield* followsAllFolders;
      const journal = yield* OutgoingJournal;
      const transaction = yield* Transaction;
      const fingerprints = yield* Fingerprints;
      const entropy = yield* Entropy;
      const tokens = yield* SessionTokens;
      const grants = yield* offeredGrants;

      /** Fails for an account that signs in with tokens, because a password must never open it (spec 11.3). */
      const checkAuthKind = Effect.fnUntraced(function* (account: AccountId) {
        const known = yield* directory.find(account);
        if (Option.exists(known, ({ authKind }) => authKind !== "password")) return yield* new LoginRefused();
      });

      const serversBefore = (account: AccountId) =>
        Effect.map(directory.find(account), (known) => Option.getOrNull(known)?.servers ?? null);
      const verifyAt = (place: SignInPlace, account: AccountId, credential: MailCredential) =>
        place._tag === "Nowhere"
          ? Effect.fail(new LoginRefused())
          : mailLogin.verify(account, credential, place._tag === "Deployment" ? undefined : place.servers.imap);

      const verifyPassword = (
        account: AccountId,
        credential: PasswordCredential,
        network: string,
        place: SignInPlace,
      ) => {
        const asked = Effect.andThen(checkAuthKind(account), verifyAt(place, account, credential));
        if (place._tag === "Deployment") return throttle.limit(account, credential, network, asked);
        // Errors about a discovered server are not shown to a person without an account there.
        const undescribed = Effect.catchTag(asked, "PasswordRefused", () => new LoginRefused());
        return maskFailures(throttle.limit(account, credential, network, undescribed));
      };

      /** Stores the account in the directory, or records that its mail server accepts it; returns the stored servers. */
      const enter = Effect.fnUntraced(function* (account: AccountId, place: SignInPlace, now: number) {
        const servers = place._tag === "Discovered" ? place.servers : null;
        if (yield* directory.insert(recordSeen({ ...newAccount(account, now), servers }, now))) return servers;
        const before = yield* directory.change(account, (known) => [
          known,
          recordSeen({ ...known, servers: known.servers ?? servers }, now),
        ]);
        if (Option.exists(before, ({ refusedAt }) => refusedAt !== null))
          yield* publisher.publishNow(account, "account.recovered", { email: account });
        return Option.getOrNull(before)?.servers ?? servers;
      });

      const start = Effect.fnUntraced(function* <S extends Session, A, E, E2>(
        { account, before, place, present, client }: Admitted,
        keep: Effect.Effect<void, E2>,
        begin: Begin<S, A, E>,
      ) {
        const now = yield* Clock.currentTimeMillis;
        const [session, answer] = yield* begin({ id: yield* entropy.id(128), account, client }, now);
        const isIn = transaction.run(
          Effect.gen(function* () {
            const stored = yield* enter(account, place, now);
            // During a verification the account may move. Its new servers have not accepted this credential.
            const accepted = before ?? (place._tag === "Discovered" ? place.servers : null);
            if (!areSameServers(stored, accepted)) return yield* new LoginRefused();
            yield* removal.checkFinished(account);
            yield* keep;
            yield* mailboxes.begin(account, "inbox", present);
            if (followsAll(yield* directory.find(account))) yield* watches.add(account, now);
            yield* sessions.insert(session);
            // Resumes outgoing messages that wait for a working credential.
            yield* journal.changeWaiting({ account }, (message) => resume(message, now));
            return true;
          }),
        );
        do yield* removal.finish(account);
        while (!(yield* Effect.catchTag(isIn, "AccountBeingRemoved", () => Effect.succeed(false))));
        yield* Effect.logInfo("signed in", { account: fingerprints.ofAccount(account), session: session.kind });
        return answer;
      });

      const logRefusal =
        (account: AccountId) =>
        ({ _tag: reason }: { readonly _tag: string }) =>
          Effect.logInfo("sign-in refused", { account: fingerprints.ofAccount(account), reason });

      const signIn = Effect.fnUntraced(function* <S extends Session, A, E>(
        email: string,
        password: Redacted.Redacted,
        client: SessionClient,
        begin: Begin<S, A, E>,
      ) {
        yield* checkSignIn({ email, password: Redacted.value(password) });
        const account = yield* Effect.mapError(Effect.fromOption(accountIdOf(email)), () => new AddressMalformed());
        const credential = { _tag: "Password", username: email, password } as const;
        const before = yield* serversBefore(account);
        const place = yield* placeForSignIn(candidates, account);
        const present = yield* Effect.tapError(
          verifyPassword(account, credential, client.network, place),
          logRefusal(account),
        );
        // A consent during the verification gives the account a grant, which a password must not replace.
        const keep = Effect.andThen(checkAuthKind(account), vault.keep(account, credential));
        return yield* start({ account, before, place, present, client }, keep, begin);
      });

      const withGrant = Effect.fn("SignIn.withGrant")(function* (
        email: string,
        offered: OfferedGrant,
        client: SessionClient,
      ) {
        yield* checkSignIn({ email });
        const account = yield* Effect.mapError(Effect.fromOption(accountIdOf(email)), () => new AddressMalformed());
        const credential = { _tag: "AccessToken", username: email, token: offered.token } as const;
        yield* checkOffered(grants, account, offered);
        const before = yield* serversBefore(account);
        const place = yield* placeOfToken(candidates, grants, account, offered);
        const verified = maskFailures(verifyAt(place, account, credential));
        const present = yield* Effect.tapError(verified, logRefusal(account));
        return yield* start(
          { account, before, place, present, client },
          keepOffered(grants, account, email, offered),
          cookieSession,
        );
      });

      const cookieSession = Effect.fnUntraced(function* (begun: SessionStart, now: number) {
        const cookie = yield* entropy.id(256);
        const session = startCookieSession(begun, fingerprints.ofToken(cookie), now);
        return [session, { cookie, session }] as const;
      });

      return SignIn.of({
        withPassword: Effect.fn("SignIn.withPassword")((email, password, client) =>
          signIn(email, password, client, tokens.start),
        ),
        forBrowser: Effect.fn("SignIn.forBrowser")((email, password, client) =>
          signIn(email, password, client, cookieSession),
        ),
        withGrant,
      });
    }),
  );
}

/** An account whose mail server accepted the credential. */
interface Admitted {
  readonly account: AccountId;
  /** The stored servers before the verification. */
  readonly before: AccountServers | null;
  readonly place: SignInPlace;
  readonly present: MailboxCursor;
  readonly client: SessionClient;
}

type Begin<S, A, E> = (start: SessionStart, now: number) => Effect.Effect<readonly [S, A], E>;
