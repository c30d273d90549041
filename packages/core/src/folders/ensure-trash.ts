import { Effect } from "effect";
import type { AccountId } from "../shared/index.ts";
import type { Folder } from "./Folder.ts";
import type { Folders } from "./Folders.ts";
import type { MailboxChanges } from "./ports/MailboxChanges.ts";
import { notListed } from "./not-listed.ts";

/** Returns the Trash folder of a current listing; creates it if missing (spec 4). */
export const ensureTrash = Effect.fn("ensureTrash")(function* (
  { sync }: Folders["Service"],
  changes: MailboxChanges["Service"],
  account: AccountId,
) {
  const { folders, root } = yield* sync(account);
  const path = `${root.prefix}Trash`;
  const isTrash = (folder: Folder) => folder.selectable && (folder.role === "trash" || folder.path === path);
  const known = folders.find(({ role }) => role === "trash") ?? folders.find(isTrash);
  if (known !== undefined) return known;
  yield* changes.create(account, path, "trash").pipe(
    Effect.catchTag("FolderExists", () => Effect.void),
    Effect.catchTag("FolderNameInvalid", () => notListed(path)),
  );
  return (yield* sync(account)).folders.find(isTrash) ?? (yield* notListed(path));
});
