import { Clock, Duration, Effect, Option } from "effect";
import { type AccountId, Entropy } from "../shared/index.ts";
import { TokenRejected } from "./errors.ts";
import { Fingerprints } from "./ports/Fingerprints.ts";
import { Tokens } from "./ports/Tokens.ts";
import type { RefreshToken } from "./Session.ts";
import { ACCESS_LIFETIME } from "./session-state.ts";

/** Whose tokens: a session, or what is going to be one. */
interface Holder {
  readonly id: string;
  readonly account: AccountId;
}

/** The tokens of sessions, as signing in and refreshing hand them out (spec 3). */
export const tokenIssue = Effect.gen(function* () {
  const tokens = yield* Tokens;
  const entropy = yield* Entropy;
  const fingerprints = yield* Fingerprints;

  /** A new access token. */
  const access = Effect.fnUntraced(function* ({ id, account }: Holder) {
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

  /** A new refresh token, and what is to be kept of it. */
  const refresh = Effect.fnUntraced(function* ({ id, account }: Holder, issuedAt: number, expiresAt: number) {
    const tokenId = yield* entropy.id(128);
    const { token, keyId } = yield* tokens.issue("refresh", { account, sessionId: id, tokenId, issuedAt, expiresAt });
    const kept: RefreshToken = { hash: fingerprints.ofToken(token), tokenId, keyId, issuedAt, expiresAt };
    return { token, kept };
  });

  /** A refresh token that was handed out before, to the letter. */
  const sameRefresh = Effect.fnUntraced(function* ({ id, account }: Holder, kept: RefreshToken) {
    const { tokenId, issuedAt, expiresAt, keyId } = kept;
    const claims = { account, sessionId: id, tokenId, issuedAt, expiresAt };
    const token = yield* tokens.reissue("refresh", claims, keyId);
    return Option.isSome(token) ? token.value : yield* new TokenRejected({ reason: "signature" });
  });

  return { access, refresh, sameRefresh };
});
