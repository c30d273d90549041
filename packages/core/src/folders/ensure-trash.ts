import { Effect } from "effect";
import type { AccountId } from "../shared/index.ts";
import type { Folder } from "./Folder.ts";
import type { Folders } from "./Folders.ts";
import type { FolderSnapshot } from "./FolderSnapshot.ts";
import type { MailboxChanges } from "./ports/MailboxChanges.ts";
import { notListed } from "./not-listed.ts";

/** Returns the Trash folder of a current listing, with its UIDNEXT; creates it if missing (spec 4). */
export const ensureTrash = Effect.fn("ensureTrash")(function* (
  { sync }: Folders["Service"],
  changes: MailboxChanges["Service"],
  account: AccountId,
) {
  const { root, ...listed } = yield* sync(account);
  const path = `${root.prefix}Trash`;
  const isTrash = (folder: Folder) => folder.selectable && (folder.role === "trash" || folder.path === path);
  const trashIn = ({ folders, records }: Pick<FolderSnapshot, "folders" | "records">) => {
    const folder = folders.find(({ role }) => role === "trash") ?? folders.find(isTrash);
    return folder && { ...folder, uidNext: records[folders.indexOf(folder)]?.uidNext ?? null };
  };
  const known = trashIn(listed);
  if (known !== undefined) return known;
  yield* changes.create(account, path, "trash").pipe(
    Effect.catchTag("FolderExists", () => Effect.void),
    Effect.catchTag("FolderNameInvalid", () => notListed(path)),
  );
  return trashIn(yield* sync(account)) ?? (yield* notListed(path));
});
