import { ApiProblem } from "@postern/client/browser";
import { api, queries } from "../../api/client.ts";
import { type Folder, folderName, foldersQuery } from "../../shell/folders.ts";
import type { Place } from "./message-actions.ts";

type Role = "inbox" | "archive" | "junk";

/** Folders that are being created. If the user presses the same key again, the same folder is used. */
const made = new Map<Role, Promise<Place>>();

/**
 * Returns the folder with a role or, because not all mail servers mark such folders, the folder at the top level with
 * the usual name. A missing folder is created.
 */
export const placeWithRole = async (role: Role): Promise<Place> => {
  const found = await foundPlace(role);
  if (found !== undefined) return found;
  const creating = made.get(role) ?? create(role);
  made.set(role, creating);
  const forget = () => made.delete(role);
  // After that, the list of folders contains it.
  void creating.then(() => queries.invalidateQueries({ queryKey: ["folders"] })).then(forget, forget);
  return creating;
};

const foundPlace = async (role: Role): Promise<Place | undefined> => {
  const found = folderWithRole(await queries.ensureQueryData(foldersQuery), role);
  return found && { id: found.id, name: folderName(found) };
};

const folderWithRole = (folders: ReadonlyArray<Folder>, role: Role): Folder | undefined => {
  return (
    folders.find((folder) => folder.role === role) ??
    folders.find((folder) => folder.parentId === null && folder.name.toLowerCase() === role)
  );
};

/** Whether the folders, if they are known, have none with a role, and none is being created. */
export const isMissing = (folders: ReadonlyArray<Folder>, role: Role): boolean =>
  folders.length > 0 && !made.has(role) && folderWithRole(folders, role) === undefined;

const create = async (role: Role): Promise<Place> => {
  // The name that other mail programs know, in all languages.
  const name = role[0]!.toUpperCase() + role.slice(1);
  try {
    const { data } = await api("POST /api/settings/folders", { payload: { name, parentId: null } });
    return { id: data.id, name };
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 409) throw error;
    // Another program has created the folder meanwhile.
    await queries.refetchQueries({ queryKey: ["folders"] });
    const found = await foundPlace(role);
    if (found === undefined) throw error;
    return found;
  }
};
