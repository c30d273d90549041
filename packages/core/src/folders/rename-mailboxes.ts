import { Effect } from "effect";
import type { AccountId } from "../shared/index.ts";
import type { ListedMailbox } from "../mail/index.ts";
import type { MailboxChanges } from "./ports/MailboxChanges.ts";
import type { MailboxTree } from "./ports/MailboxTree.ts";
import { type Rename, remainingRenames } from "./rename-plan.ts";

/**
 * Executes a rename plan and returns the listing afterwards. Most servers rename a mailbox with its children. Children
 * that were not renamed, and the children of `\Noselect` names, are renamed one by one.
 */
export const renameMailboxes = Effect.fnUntraced(function* (
  tree: MailboxTree["Service"],
  changes: MailboxChanges["Service"],
  account: AccountId,
  [first, ...others]: ReadonlyArray<Rename>,
) {
  if (first !== undefined) {
    const whole = changes.rename(account, first.from, first.to);
    // The server may report a `\Noselect` name as not found.
    yield* others.length === 0 ? whole : Effect.catchTag(whole, "FolderNotFound", () => Effect.void);
  }
  let listed: ReadonlyArray<ListedMailbox> = yield* tree.list(account);
  for (;;) {
    const [next] = remainingRenames(others, listed);
    if (next === undefined) return listed;
    yield* changes.rename(account, next.from, next.to);
    listed = yield* tree.list(account);
  }
});
