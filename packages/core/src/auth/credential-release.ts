import { Clock, Effect } from "effect";
import { FolderRemovals } from "../folders/index.ts";
import type { AccountId } from "../shared/index.ts";
import { OutgoingJournal } from "../send/index.ts";
import { Endpoints } from "../webhooks/index.ts";
import { CredentialVault } from "./ports/CredentialVault.ts";
import { Sessions } from "./ports/Sessions.ts";
import { isLive } from "./session-state.ts";

/** Erases an account's credential once nothing needs it any more (decisions 3): to be run after what needed it ended. */
export const credentialRelease = Effect.gen(function* () {
  const sessions = yield* Sessions;
  const vault = yield* CredentialVault;
  const journal = yield* OutgoingJournal;
  const removals = yield* FolderRemovals;
  const endpoints = yield* Endpoints;

  const isInUse = Effect.fnUntraced(function* (account: AccountId) {
    const now = yield* Clock.currentTimeMillis;
    const hasSession = (yield* sessions.list(account)).some((session) => isLive(session, now));
    if (hasSession || (yield* journal.hasUnfinished(account))) return true;
    if ((yield* endpoints.list(account)).length > 0) return true;
    return (yield* removals.unfinished).some((removal) => removal.account === account);
  });

  // Whoever ends a use asks again after that, so that what is in use need not be locked.
  return (account: AccountId) =>
    Effect.flatMap(isInUse(account), (used) => (used ? Effect.void : vault.eraseUnless(account, isInUse(account))));
});
