import { ApiProblem } from "@postern/client/browser";
import { api, queries } from "../../api/client.ts";
import { type Folder, folderName, foldersQuery } from "../../shell/folders.ts";
import type { Place } from "./message-actions.ts";

type Role = "inbox" | "archive" | "junk";

/** Folders that are being created. A repeated key uses the same folder. */
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

/** Returns whether no known folder has the role and none is being created; false if the folders are unknown. */
export const isMissing = (folders: ReadonlyArray<Folder>, role: Role): boolean =>
  folders.length > 0 && !made.has(role) && folderWithRole(folders, role) === undefined;

const create = async (role: Role): Promise<Place> => {
  // The name is the same in all languages, because other mail programs know it.
  const name = role[0]!.toUpperCase() + role.slice(1);
  try {
    const { data } = await api("POST /api/settings/folders", { payload: { name, parentId: null } });
    return { id: data.id, name };
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 409) throw error;
    // Another program may have created the folder at the same time.
    await queries.refetchQueries({ queryKey: ["folders"] });
    const found = await foundPlace(role);
    if (found === undefined) throw error;
    return found;
  }
};
