import type { AccountId } from "@postern/core/shared";
import type { MailboxAccessError } from "@postern/core/mail";
import { MailCredentials } from "@postern/core/oauth";
import { Effect } from "effect";
import type { MailAccount } from "./MailServerInMemory.ts";
import { MailWorld } from "./MailWorld.ts";

/** Returns the mailboxes of an account if the server accepts its credential. A refused credential is renewed once, otherwise rejected. */
export const signedIn = Effect.gen(function* () {
  const world = yield* MailWorld;
  const credentials = yield* MailCredentials;
  const open = Effect.fnUntraced(function* (id: AccountId): Effect.fn.Return<MailAccount, MailboxAccessError> {
    const current = yield* credentials.of(id);
    const account = world.signIn(current.credential);
    if (account !== undefined) {
      yield* credentials.recordAnswer(id);
      return account;
    }
    if (yield* credentials.renew(id, current)) return yield* open(id);
    return yield* credentials.reject(id, current, true);
  });
  return open;
});
