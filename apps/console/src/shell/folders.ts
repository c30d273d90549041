import type { ApiAnswer } from "@postern/client/browser";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { markText, t } from "../texts/text.ts";
import { api } from "../api/client.ts";

export type Folder = ApiAnswer<"GET /api/folders">["folders"][number];

export interface FolderBranch {
  readonly folder: Folder;
  readonly depth: number;
}

const ROLES = ["inbox", "drafts", "sent", "archive", "junk", "trash"] as const;

/** The folders with their counts (spec 4.1). */
export const foldersQuery = queryOptions({
  queryKey: ["folders"] as const,
  queryFn: async ({ signal }) => (await api("GET /api/folders", { signal })).folders,
});

export const useFolders = () => useQuery(foldersQuery);

/** Returns special folders in their usual order, then the others by name; children follow their parent. */
export const folderTree = (folders: ReadonlyArray<Folder>): ReadonlyArray<FolderBranch> => {
  const rank = ({ role }: Folder): number => (role === null ? ROLES.length : ROLES.indexOf(role));
  const ids = new Set(folders.map(({ id }) => id));
  const below = (parentId: string | null, depth: number): ReadonlyArray<FolderBranch> =>
    folders
      .filter((folder) => (folder.parentId !== null && ids.has(folder.parentId) ? folder.parentId : null) === parentId)
      .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
      .flatMap((folder) => [{ folder, depth }, ...below(folder.id, depth + 1)]);
  return below(null, 0);
};

const ROLE_NAMES = {
  inbox: markText("Inbox"),
  drafts: markText("Drafts"),
  sent: markText("Sent"),
  archive: markText("Archive [folder]"),
  junk: markText("Junk"),
  trash: markText("Trash"),
} as const;

/** Returns the displayed name of a folder: servers name special folders differently. */
export const folderName = ({ role, name }: Pick<Folder, "role" | "name">): string =>
  role === null ? name : t(ROLE_NAMES[role]);

/** Returns the branches that are not below a collapsed folder. */
export const withoutCollapsed = (
  tree: ReadonlyArray<FolderBranch>,
  collapsed: ReadonlySet<string>,
): ReadonlyArray<FolderBranch> => {
  const hidden = new Set<string>();
  return tree.filter(({ folder: { id, parentId } }) => {
    const isHidden = parentId !== null && (hidden.has(parentId) || collapsed.has(parentId));
    if (isHidden) hidden.add(id);
    return !isHidden;
  });
};

/** The page of the inboxes of all accounts that this browser is signed in to. */
export const ALL_INBOXES = "/mail/all-inboxes";
