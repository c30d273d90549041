import { Clock, Context, Effect, Layer, Option } from "effect";
import { type AccountId, OpaqueIds, type StoreUnavailable } from "../shared/index.ts";
import { TokenRejected } from "./errors.ts";
import { CredentialVault } from "./ports/CredentialVault.ts";
import { Fingerprints } from "./ports/Fingerprints.ts";
import { Sessions } from "./ports/Sessions.ts";
import { Tokens } from "./ports/Tokens.ts";
import type { Session } from "./Session.ts";
import { isLive, isUseDue, startHostSession, useSession } from "./session-state.ts";

/** Identifies a request's account (spec 3.2, 3.5) by a valid credential of a session that has not ended. */
export class Authentication extends Context.Service<
  Authentication,
  {
    readonly byAccessToken: (token: string) => Effect.Effect<Session, TokenRejected | StoreUnavailable>;
    /** Identifies the session by the secret in a browser's cookie. */
    readonly byCookie: (cookie: string) => Effect.Effect<Session, TokenRejected | StoreUnavailable>;
    /** Identifies the account for a program that embeds the service and authenticates users itself; records the use. */
    readonly byHost: (account: AccountId) => Effect.Effect<void, StoreUnavailable>;
    /**
     * Returns whether the session is still live. Streams check this, because a stream outlasts the request that opened
     * it.
     */
    readonly isLive: (account: AccountId, sessionId: string) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/auth/Authentication") {
  static readonly layer = Layer.effect(
    Authentication,
    Effect.gen(function* () {
      const tokens = yield* Tokens;
      const sessions = yield* Sessions;
      const fingerprints = yield* Fingerprints;
      const vault = yield* CredentialVault;
      const ids = yield* OpaqueIds;

      const writeUse = (session: Session, now: number) =>
        isUseDue(session, now)
          ? Effect.ignore(sessions.change(session.id, (current) => [undefined, useSession(current, now)]))
          : Effect.void;

      const recordUse = Effect.fnUntraced(function* (session: Option.Option<Session>) {
        const now = yield* Clock.currentTimeMillis;
        if (Option.isNone(session) || !isLive(session.value, now)) {
          return yield* new TokenRejected({ reason: "session_ended" });
        }
        yield* writeUse(session.value, now);
        return session.value;
      });

      const byAccessToken = Effect.fnUntraced(function* (token: string) {
        const claims = yield* tokens.verify("access", token);
        const session = yield* sessions.find(claims.sessionId);
        return yield* recordUse(Option.filter(session, ({ account }) => account === claims.account));
      });

      const byCookie = Effect.fnUntraced(function* (cookie: string) {
        return yield* recordUse(yield* sessions.findByCookie(fingerprints.ofToken(cookie)));
      });

      const byHost = Effect.fnUntraced(function* (account: AccountId) {
        // The id is derived from the account, so that two nodes start the same session for it.
        const id = `host_${ids.accountId(account)}`;
        const session = yield* sessions.find(id);
        const now = yield* Clock.currentTimeMillis;
        // A session of a host that has ended begins again.
        if (Option.isSome(session)) return yield* writeUse(session.value, now);
        if (Option.isNone(yield* vault.find(account))) return;
        yield* sessions.insert(startHostSession(id, account, now));
      });

      const isSessionLive = Effect.fnUntraced(function* (account: AccountId, sessionId: string) {
        const session = yield* sessions.find(sessionId);
        const now = yield* Clock.currentTimeMillis;
        return Option.exists(session, (found) => found.account === account && isLive(found, now));
      });

      return Authentication.of({ byAccessToken, byCookie, byHost, isLive: isSessionLive });
    }),
  );
}
