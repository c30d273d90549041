import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import { type AccountId, Entropy, type InputInvalid, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { checkerOf } from "../shared/neighbours.ts";
import { CredentialRelease } from "./CredentialRelease.ts";
import { RefreshReused, TokenRejected } from "./errors.ts";
import { Fingerprints } from "./ports/Fingerprints.ts";
import { Sessions } from "./ports/Sessions.ts";
import { Tokens } from "./ports/Tokens.ts";
import { signInFields } from "./rules.ts";
import type { BearerSession, RefreshToken } from "./Session.ts";
import {
  ACCESS_LIFETIME,
  presentRefreshToken,
  REFRESH_LIFETIME,
  refreshExpiry,
  type SessionStart,
  startBearerSession,
} from "./session-state.ts";
import type { TokenPair } from "./TokenPair.ts";

const checkToken = checkerOf({ refreshToken: signInFields.refreshToken });

/** The session for which tokens are issued. The session may not have started yet. */
interface TokenHolder {
  readonly id: string;
  readonly account: AccountId;
}

/** Issues the tokens of API clients' sessions (spec 3.3). */
export class SessionTokens extends Context.Service<
  SessionTokens,
  {
    /** Starts a session; returns it with the first pair of tokens. */
    readonly start: (start: SessionStart, now: number) => Effect.Effect<readonly [BearerSession, TokenPair]>;
    /** Exchanges a refresh token for a new pair. */
    readonly exchange: (
      refreshToken: string,
    ) => Effect.Effect<TokenPair, InputInvalid | TokenRejected | RefreshReused | StoreUnavailable>;
  }
>()("@postern/core/auth/SessionTokens") {
  static readonly layer = Layer.effect(
    SessionTokens,
    Effect.gen(function* () {
      const tokens = yield* Tokens;
      const sessions = yield* Sessions;
      const transaction = yield* Transaction;
      const fingerprints = yield* Fingerprints;
      const entropy = yield* Entropy;
      const { release: releaseCredential } = yield* CredentialRelease;

      const issueAccess = Effect.fnUntraced(function* ({ id, account }: TokenHolder) {
        const now = yield* Clock.currentTimeMillis;
        const { token } = yield* tokens.issue("access", {
          account,
          sessionId: id,
          tokenId: yield* entropy.id(128),
          issuedAt: now,
          expiresAt: now + Duration.toMillis(ACCESS_LIFETIME),
        });
        return { token, expiresIn: Duration.toSeconds(ACCESS_LIFETIME) };
      });

      /** Returns a new refresh token and its stored part. */
      const issueRefresh = Effect.fnUntraced(function* (
        { id, account }: TokenHolder,
        issuedAt: number,
        expiresAt: number,
      ) {
        const tokenId = yield* entropy.id(128);
        const claims = { account, sessionId: id, tokenId, issuedAt, expiresAt };
        const { token, keyId } = yield* tokens.issue("refresh", claims);
        const kept: RefreshToken = { hash: fingerprints.ofToken(token), tokenId, keyId, issuedAt, expiresAt };
        return { token, kept };
      });

      /** Returns the same refresh token as before, byte for byte. */
      const reissueRefresh = Effect.fnUntraced(function* ({ id, account }: TokenHolder, kept: RefreshToken) {
        const { tokenId, issuedAt, expiresAt, keyId } = kept;
        const claims = { account, sessionId: id, tokenId, issuedAt, expiresAt };
        const token = yield* tokens.reissue("refresh", claims, keyId);
        return Option.isSome(token) ? token.value : yield* new TokenRejected({ reason: "signature" });
      });

      const start = Effect.fnUntraced(function* (begun: SessionStart, now: number) {
        const refresh = yield* issueRefresh(begun, now, now + Duration.toMillis(REFRESH_LIFETIME));
        const pair: TokenPair = { ...(yield* issueAccess(begun)), refreshToken: refresh.token };
        return [startBearerSession(begun, refresh.kept, now), pair] as const;
      });

      const sessionEnded = new TokenRejected({ reason: "session_ended" });

      const present = Effect.fnUntraced(function* (id: string, hash: string, successor: RefreshToken, now: number) {
        const change = yield* sessions.change(id, (session) => {
          const [outcome, after] = presentRefreshToken(session, hash, successor, now);
          return [{ outcome, after, account: session.account }, after];
        });
        if (Option.isSome(change) && change.value.after === null) yield* releaseCredential(change.value.account);
        return change;
      }, transaction.run);

      const exchange = Effect.fn("SessionTokens.exchange")(function* (refreshToken: string) {
        yield* checkToken({ refreshToken });
        const claims = yield* tokens.verify("refresh", refreshToken);
        const session = Option.filter(
          yield* sessions.find(claims.sessionId),
          ({ account }) => account === claims.account,
        );
        if (Option.isNone(session)) return yield* sessionEnded;
        const now = yield* Clock.currentTimeMillis;
        // The new token is signed before the session is locked, and discarded if the old token is not rotated.
        const expiresAt = refreshExpiry(session.value.absoluteExpiresAt, now);
        const successor = yield* issueRefresh(session.value, now, expiresAt);
        const change = yield* present(claims.sessionId, fingerprints.ofToken(refreshToken), successor.kept, now);
        if (Option.isNone(change)) return yield* sessionEnded;
        const { outcome, after } = change.value;
        if (outcome === "reused") {
          yield* Effect.logWarning("refresh token reused, session ended", {
            account: fingerprints.ofAccount(claims.account),
          });
          return yield* new RefreshReused();
        }
        if (after?.kind !== "bearer") return yield* sessionEnded;
        const next = outcome === "rotated" ? successor.token : yield* reissueRefresh(after, after.refresh.current);
        return { ...(yield* issueAccess(after)), refreshToken: next };
      });

      return SessionTokens.of({ start, exchange });
    }),
  );
}
