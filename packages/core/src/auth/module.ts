import { Effect, Layer } from "effect";
import type { AccountData } from "../shared/neighbours.ts";
import { AccountSessions } from "./AccountSessions.ts";
import { Authentication } from "./Authentication.ts";
import { CredentialRelease } from "./CredentialRelease.ts";
import { LoginThrottle } from "./LoginThrottle.ts";
import { KeyAuthentication } from "./KeyAuthentication.ts";
import { Keys } from "./Keys.ts";
import { CredentialVault } from "./ports/CredentialVault.ts";
import { LoginAttempts } from "./ports/LoginAttempts.ts";
import { Sessions } from "./ports/Sessions.ts";
import { SessionTokens } from "./SessionTokens.ts";
import { sweepCredentials } from "./sweep-credentials.ts";

const data = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const vault = yield* CredentialVault;
  const attempts = yield* LoginAttempts;
  return {
    name: "auth",
    erase: Effect.fnUntraced(function* (account) {
      yield* sessions.removeAll(account);
      yield* vault.eraseUnless(account, Effect.succeed(false));
      yield* attempts.erase(account);
    }),
    needsCredential: sessions.hasLive,
  } satisfies AccountData;
});

/** The domain of authentication: sessions, tokens, service keys, throttles and stored credentials. */
export const auth = {
  layer: Layer.mergeAll(
    LoginThrottle.layer,
    SessionTokens.layer,
    Authentication.layer,
    KeyAuthentication.layer,
    Keys.layer,
    AccountSessions.layer,
  ).pipe(Layer.provideMerge(CredentialRelease.layer)),
  data,
  sweeps: Effect.gen(function* () {
    const { sweep: sweepSessions } = yield* AccountSessions;
    return [sweepSessions, yield* sweepCredentials, (yield* LoginThrottle).sweep, (yield* KeyAuthentication).sweep];
  }),
};
