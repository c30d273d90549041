import { Context, type Effect } from "effect";
import type { ListedMailbox, MailboxAccessError } from "../../mail/index.ts";
import type { AccountId } from "../../shared/index.ts";

/** Lists the mailboxes of an account on its mail server (spec 4). */
export class MailboxTree extends Context.Service<
  MailboxTree,
  {
    /**
     * Returns every mailbox with its counts, INBOX first, each path once; in one round trip if the server supports it.
     * If a session does not list all `expected` paths, a new session may list the mailboxes again.
     */
    readonly list: (
      account: AccountId,
      expected?: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<ListedMailbox>, MailboxAccessError>;
  }
>()("@postern/core/folders/ports/MailboxTree") {}
