import { Clock, Context, Duration, Effect, Layer, Option, type Redacted } from "effect";
import { accountIdOf } from "../shared/AccountId.ts";
import type { MailServerError } from "../shared/MailServerError.ts";
import { Entropy } from "../shared/ports/Entropy.ts";
import type { StoreUnavailable } from "../shared/StoreUnavailable.ts";
import { AddressMalformed, type LoginRefused } from "./errors.ts";
import { CredentialVault } from "./ports/CredentialVault.ts";
import { MailLogin } from "./ports/MailLogin.ts";
import { Sessions } from "./ports/Sessions.ts";
import { Tokens } from "./ports/Tokens.ts";
import { ACCESS_LIFETIME, startSession } from "./session-state.ts";
import type { TokenPair } from "./TokenPair.ts";

/** Signing in: the mail server decides, we keep the credential and open a session (seed 4.1, decisions 3). */
export class SignIn extends Context.Service<
  SignIn,
  {
    readonly withPassword: (
      email: string,
      password: Redacted.Redacted,
    ) => Effect.Effect<TokenPair, AddressMalformed | LoginRefused | MailServerError | StoreUnavailable>;
  }
>()("@postern/core/auth/SignIn") {
  static readonly layer = Layer.effect(
    SignIn,
    Effect.gen(function* () {
      const mailLogin = yield* MailLogin;
      const vault = yield* CredentialVault;
      const sessions = yield* Sessions;
      const tokens = yield* Tokens;
      const entropy = yield* Entropy;

      const withPassword = Effect.fn("SignIn.withPassword")(function* (email: string, password: Redacted.Redacted) {
        const account = accountIdOf(email);
        if (Option.isNone(account)) return yield* new AddressMalformed();
        const credential = { username: email, password };
        yield* mailLogin.verify(credential);
        yield* vault.keep(account.value, credential);

        const now = yield* Clock.currentTimeMillis;
        const session = startSession(yield* entropy.id(128), account.value, now);
        yield* sessions.insert(session);
        const claims = { account: session.account, sessionId: session.id, issuedAt: now };
        const token = yield* tokens.issue("access", {
          ...claims,
          tokenId: yield* entropy.id(128),
          expiresAt: now + Duration.toMillis(ACCESS_LIFETIME),
        });
        const refreshToken = yield* tokens.issue("refresh", {
          ...claims,
          tokenId: yield* entropy.id(128),
          expiresAt: session.expiresAt,
        });
        return { token, refreshToken, expiresIn: Duration.toSeconds(ACCESS_LIFETIME) };
      });

      return SignIn.of({ withPassword });
    }),
  );
}
