import { Context, type Effect } from "effect";
import type { MailboxCursor, MailServer, MailServerError } from "../../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { LoginRefused, PasswordRefused } from "../errors.ts";
import type { MailCredential } from "../mail-credential.ts";

/** Verifies a credential at the mail server (spec 3). An outage is never reported as a refusal. */
export class MailLogin extends Context.Service<
  MailLogin,
  {
    /**
     * Returns the current cursor of INBOX: messages below it are not new (spec 7). `server` is the server of an account
     * that `MailServers` does not know yet.
     */
    readonly verify: (
      account: AccountId,
      credential: MailCredential,
      server?: MailServer,
    ) => Effect.Effect<MailboxCursor, LoginRefused | PasswordRefused | MailServerError | StoreUnavailable>;
  }
>()("@postern/core/auth/ports/MailLogin") {}
