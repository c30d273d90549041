import { Clock, Context, Effect, Layer, Option } from "effect";
import { type StoreUnavailable, Transaction } from "../shared/index.ts";
import { CredentialRelease } from "./CredentialRelease.ts";
import { RefreshReused, TokenRejected } from "./errors.ts";
import { Fingerprints } from "./ports/Fingerprints.ts";
import { Sessions } from "./ports/Sessions.ts";
import { Tokens } from "./ports/Tokens.ts";
import type { RefreshToken } from "./Session.ts";
import { presentRefreshToken, refreshExpiry } from "./session-state.ts";
import { TokenIssuer } from "./TokenIssuer.ts";
import type { TokenPair } from "./TokenPair.ts";

/** Exchanges a refresh token for a new pair (spec 3.3). */
export class TokenRefresh extends Context.Service<
  TokenRefresh,
  {
    readonly exchange: (
      refreshToken: string,
    ) => Effect.Effect<TokenPair, TokenRejected | RefreshReused | StoreUnavailable>;
  }
>()("@postern/core/auth/TokenRefresh") {
  static readonly layer = Layer.effect(
    TokenRefresh,
    Effect.gen(function* () {
      const tokens = yield* Tokens;
      const sessions = yield* Sessions;
      const transaction = yield* Transaction;
      const fingerprints = yield* Fingerprints;
      const issuer = yield* TokenIssuer;
      const { release: releaseCredential } = yield* CredentialRelease;

      const ended = Effect.fail(new TokenRejected({ reason: "session_ended" }));

      const present = Effect.fnUntraced(function* (id: string, hash: string, successor: RefreshToken, now: number) {
        const presented = yield* sessions.change(id, (session) => {
          const [outcome, after] = presentRefreshToken(session, hash, successor, now);
          return [{ outcome, after, account: session.account }, after];
        });
        if (Option.isSome(presented) && presented.value.after === null) {
          yield* releaseCredential(presented.value.account);
        }
        return presented;
      }, transaction.run);

      const exchange = Effect.fn("TokenRefresh.exchange")(function* (refreshToken: string) {
        const claims = yield* tokens.verify("refresh", refreshToken);
        const session = Option.filter(
          yield* sessions.find(claims.sessionId),
          ({ account }) => account === claims.account,
        );
        if (Option.isNone(session)) return yield* ended;
        const now = yield* Clock.currentTimeMillis;
        // Signed before the session is locked; discarded unless the token is rotated.
        const successor = yield* issuer.refresh(
          session.value,
          now,
          refreshExpiry(session.value.absoluteExpiresAt, now),
        );
        const presented = yield* present(claims.sessionId, fingerprints.ofToken(refreshToken), successor.kept, now);
        if (Option.isNone(presented)) return yield* ended;
        const { outcome, after } = presented.value;
        if (outcome === "reused") {
          yield* Effect.logWarning("refresh token reused, session ended", {
            account: fingerprints.ofAccount(claims.account),
          });
          return yield* new RefreshReused();
        }
        if (after?.kind !== "bearer") return yield* ended;
        const next = outcome === "rotated" ? successor.token : yield* issuer.sameRefresh(after, after.refresh.current);
        return { ...(yield* issuer.access(after)), refreshToken: next };
      });

      return TokenRefresh.of({ exchange });
    }),
  ).pipe(Layer.provide(TokenIssuer.layer));
}
