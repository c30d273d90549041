import { Clock, Effect } from "effect";
import type { AccountId } from "../shared/AccountId.ts";
import { CredentialVault } from "./ports/CredentialVault.ts";
import { Sessions } from "./ports/Sessions.ts";
import { isLive } from "./session-state.ts";

/** Erases an account's credential once nothing needs it any more (decisions 3): to be run after what needed it ended. */
export const credentialRelease = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const vault = yield* CredentialVault;

  const hasSession = Effect.fnUntraced(function* (account: AccountId) {
    const now = yield* Clock.currentTimeMillis;
    return (yield* sessions.list(account)).some((session) => isLive(session, now));
  });

  return (account: AccountId) => vault.eraseUnless(account, hasSession(account));
});
