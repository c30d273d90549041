import { type AccountId, CredentialVault, MailboxCredentialsRejected } from "@postern/core";
import { Effect, Redacted } from "effect";
import { MailWorld } from "./MailWorld.ts";

/** The mailboxes of an account whose kept credential the server accepts, as a connection would find out. */
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
