import type { AccountId } from "@postern/core/shared";
import { KnownFloods, type MailboxAccessError } from "@postern/core/mail";
import { MailCredentials } from "@postern/core/oauth";
import { Clock, Effect } from "effect";
import type { MailAccount } from "./MailServerInMemory.ts";
import { conductTo, failureOf, MailWorld, presentedCredential } from "./MailWorld.ts";

/** Returns the mailboxes of an account if the server accepts its credential. A refused credential is renewed once, otherwise rejected. */
export const signedIn = Effect.gen(function* () {
  const world = yield* MailWorld;
  const credentials = yield* MailCredentials;
  const floods = yield* KnownFloods;
  const present = yield* presentedCredential;

  const open = Effect.fnUntraced(function* (id: AccountId): Effect.fn.Return<MailAccount, MailboxAccessError> {
    const [servers, current] = yield* present(id);
    const server = servers?.imap ?? null;
    const mail = server === null ? world : world.at(server.host);
    const { username } = current.credential;
    const now = yield* Clock.currentTimeMillis;
    if (server !== null && floods.wait(server, username, now) > 0) return yield* failureOf("flood");
    const conduct = conductTo(mail, username);
    if (conduct !== undefined) mail.onSignIn(current.credential);
    if (conduct === "flood" && server !== null) floods.note(server, username, now);
    if (conduct === "unclear") return yield* credentials.reject(id, current, false);
    if (conduct !== undefined) return yield* failureOf(conduct);
    const account = mail.signIn(current.credential);
    if (account !== undefined) {
      yield* credentials.recordAnswer(id);
      return account;
    }
    if (yield* credentials.renew(id, current)) return yield* open(id);
    return yield* credentials.reject(id, current, true);
  });
  return open;
});
