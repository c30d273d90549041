import type { AccountId } from "@postern/core/shared";
import { MailboxCredentialsRejected } from "@postern/core/mail";
import { CredentialVault } from "@postern/core/auth";
import { Effect, Redacted } from "effect";
import { MailWorld } from "./MailWorld.ts";

/** Returns the mailboxes of an account if the server accepts its credential; marks a refused one as rejected. */
export const signedIn = Effect.gen(function* () {
  const world = yield* MailWorld;
  const vault = yield* CredentialVault;
  return Effect.fnUntraced(function* (id: AccountId) {
    const { username, password, version } = yield* vault.reveal(id);
    const account = world.signIn(username, Redacted.value(password));
    if (account !== undefined) return account;
    yield* vault.markRejected(id, version);
    return yield* new MailboxCredentialsRejected();
  });
});
