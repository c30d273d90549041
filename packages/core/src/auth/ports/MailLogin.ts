import { Context, type Effect, type Redacted } from "effect";
import type { MailboxCursor, MailServerError } from "../../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../../shared/index.ts";
import type { LoginRefused } from "../errors.ts";

/** Who signs in at the mail server. `username` is the address as the person wrote it. */
export interface MailCredential {
  readonly username: string;
  readonly password: Redacted.Redacted;
}

/** Asks the mail server whether a credential is good (spec 3). An outage is never read as a refusal. */
export class MailLogin extends Context.Service<
  MailLogin,
  {
    /** Answers with how far INBOX has come: what is there now was there before we were (spec 7). */
    readonly verify: (
      account: AccountId,
      credential: MailCredential,
    ) => Effect.Effect<MailboxCursor, LoginRefused | MailServerError | StoreUnavailable>;
  }
>()("@postern/core/auth/ports/MailLogin") {}
