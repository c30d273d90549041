import { Context, type Effect } from "effect";
import type { ListedMailbox, MailboxAccessError } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";

/** The mailboxes of an account at its mail server (spec 4). */
export class MailboxTree extends Context.Service<
  MailboxTree,
  {
    /** Every mailbox with its counts, INBOX first, each path once; one round trip where the server can. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<ListedMailbox>, MailboxAccessError>;
  }
>()("@postern/core/folders/ports/MailboxTree") {}
