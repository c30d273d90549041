import { Clock, Context, Effect, Layer, Option } from "effect";
import type { StoreUnavailable } from "../shared/StoreUnavailable.ts";
import { TokenRejected } from "./errors.ts";
import { Sessions } from "./ports/Sessions.ts";
import { Tokens } from "./ports/Tokens.ts";
import type { Session } from "./Session.ts";
import { isLive } from "./session-state.ts";

/** Says who a request is from (seed 5.1, 5.6): a good access token of a session that has not ended. */
export class Authentication extends Context.Service<
  Authentication,
  {
    readonly byAccessToken: (token: string) => Effect.Effect<Session, TokenRejected | StoreUnavailable>;
  }
>()("@postern/core/auth/Authentication") {
  static readonly layer = Layer.effect(
    Authentication,
    Effect.gen(function* () {
      const tokens = yield* Tokens;
      const sessions = yield* Sessions;

      const byAccessToken = Effect.fnUntraced(function* (token: string) {
        const claims = yield* tokens.verify("access", token);
        const session = yield* sessions.find(claims.sessionId);
        const now = yield* Clock.currentTimeMillis;
        return Option.isSome(session) && session.value.account === claims.account && isLive(session.value, now)
          ? session.value
          : yield* new TokenRejected({ reason: "session_ended" });
      });

      return Authentication.of({ byAccessToken });
    }),
  );
}
