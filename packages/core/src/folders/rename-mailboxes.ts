import { Effect } from "effect";
import type { AccountId } from "../shared/index.ts";
import type { ListedMailbox } from "../mail/index.ts";
import type { MailboxChanges } from "./ports/MailboxChanges.ts";
import type { MailboxTree } from "./ports/MailboxTree.ts";
import { type Rename, remainingRenames } from "./rename-plan.ts";

/**
 * Carries a plan out, and answers with what the server lists afterwards. What lies in a mailbox goes along with it on
 * most servers; where it does not, and below names that only hold others, each is renamed for itself.
 */
export const renameMailboxes = Effect.fnUntraced(function* (
  tree: MailboxTree["Service"],
  changes: MailboxChanges["Service"],
  account: AccountId,
  [first, ...others]: ReadonlyArray<Rename>,
) {
  if (first !== undefined) {
    const whole = changes.rename(account, first.from, first.to);
    // A name that only holds others may be none to the server.
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
