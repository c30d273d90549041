import { Clock, Context, Duration, Effect, Layer, Option } from "effect";
import { type AccountId, Entropy } from "../shared/index.ts";
import { TokenRejected } from "./errors.ts";
import { Fingerprints } from "./ports/Fingerprints.ts";
import { Tokens } from "./ports/Tokens.ts";
import type { RefreshToken } from "./Session.ts";
import type { TokenPair } from "./TokenPair.ts";
import { ACCESS_LIFETIME } from "./session-state.ts";

/** The session, started or about to start, that tokens are issued for. */
interface TokenHolder {
  readonly id: string;
  readonly account: AccountId;
}

/** Issues the tokens of sessions for sign-in and refresh (spec 3). */
export class TokenIssuer extends Context.Service<
  TokenIssuer,
  {
    /** Returns a new access token. */
    readonly access: (holder: TokenHolder) => Effect.Effect<Pick<TokenPair, "token" | "expiresIn">>;
    /** Returns a new refresh token and the part of it to store. */
    readonly refresh: (
      holder: TokenHolder,
      issuedAt: number,
      expiresAt: number,
    ) => Effect.Effect<{ readonly token: string; readonly kept: RefreshToken }>;
    /** Returns an issued refresh token again, byte for byte. */
    readonly sameRefresh: (holder: TokenHolder, kept: RefreshToken) => Effect.Effect<string, TokenRejected>;
  }
>()("@postern/core/auth/TokenIssuer") {
  static readonly layer = Layer.effect(
    TokenIssuer,
    Effect.gen(function* () {
      const tokens = yield* Tokens;
      const entropy = yield* Entropy;
      const fingerprints = yield* Fingerprints;

      const access = Effect.fnUntraced(function* ({ id, account }: TokenHolder) {
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

      const refresh = Effect.fnUntraced(function* ({ id, account }: TokenHolder, issuedAt: number, expiresAt: number) {
        const tokenId = yield* entropy.id(128);
        const { token, keyId } = yield* tokens.issue("refresh", {
          account,
          sessionId: id,
          tokenId,
          issuedAt,
          expiresAt,
        });
        const kept: RefreshToken = { hash: fingerprints.ofToken(token), tokenId, keyId, issuedAt, expiresAt };
        return { token, kept };
      });

      const sameRefresh = Effect.fnUntraced(function* ({ id, account }: TokenHolder, kept: RefreshToken) {
        const { tokenId, issuedAt, expiresAt, keyId } = kept;
        const claims = { account, sessionId: id, tokenId, issuedAt, expiresAt };
        const token = yield* tokens.reissue("refresh", claims, keyId);
        return Option.isSome(token) ? token.value : yield* new TokenRejected({ reason: "signature" });
      });

      return TokenIssuer.of({ access, refresh, sameRefresh });
    }),
  );
}
