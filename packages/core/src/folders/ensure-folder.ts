import { Effect } from "effect";
import type { AccountId } from "../shared/index.ts";
import type { Folder } from "./Folder.ts";
import type { Folders } from "./Folders.ts";
import type { FolderSnapshot } from "./FolderSnapshot.ts";
import type { MailboxChanges } from "./ports/MailboxChanges.ts";
import { notListed } from "./not-listed.ts";

const NAMES = { trash: "Trash", junk: "Junk" } as const;

/** Returns the folder with a role from a current listing, with its UIDNEXT; creates the folder if it is missing (spec 4). */
export const ensureFolder = Effect.fn("ensureFolder")(function* (
  { sync }: Folders["Service"],
  changes: MailboxChanges["Service"],
  account: AccountId,
  wanted: keyof typeof NAMES,
) {
  const { root, ...listed } = yield* sync(account);
  const path = `${root.prefix}${NAMES[wanted]}`;
  const isWanted = (folder: Folder) => folder.selectable && (folder.role === wanted || folder.path === path);
  const folderIn = ({ folders, records }: Pick<FolderSnapshot, "folders" | "records">) => {
    const folder = folders.find(({ role }) => role === wanted) ?? folders.find(isWanted);
    return folder && { ...folder, uidNext: records[folders.indexOf(folder)]?.uidNext ?? null };
  };
  const known = folderIn(listed);
  if (known !== undefined) return known;
  yield* changes.create(account, path, wanted).pipe(
    Effect.catchTag("FolderExists", () => Effect.void),
    Effect.catchTag("FolderNameInvalid", () => notListed(path)),
  );
  return folderIn(yield* sync(account)) ?? (yield* notListed(path));
});
