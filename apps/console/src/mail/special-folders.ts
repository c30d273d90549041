import { api, queries } from "../api/client.ts";
import { type Folder, folderName } from "./folders.ts";
import type { Place } from "./message-actions.ts";

const NAMES = { inbox: "Inbox", archive: "Archive", junk: "Junk" } as const;

/**
 * Returns the folder with a role, or else the one at the top level that is named after it: not all mail servers mark such
 * folders. One that is missing is created.
 */
export const placeWithRole = async (
  folders: ReadonlyArray<Folder>,
  role: "inbox" | "archive" | "junk",
): Promise<Place> => {
  const name = NAMES[role];
  const found =
    folders.find((folder) => folder.role === role) ??
    folders.find((folder) => folder.parentId === null && folder.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return { id: found.id, name: folderName(found) };
  const { data } = await api("POST /api/settings/folders", { payload: { name, parentId: null } });
  void queries.invalidateQueries({ queryKey: ["folders"] });
  return { id: data.id, name };
};
