import { Result } from "effect";
import {
  FolderExists,
  FolderIsSystem,
  type FolderNameInvalid,
  FolderParentInvalid,
  type ListedMailbox,
} from "../mail/index.ts";
import type { Folder } from "./Folder.ts";
import { folderName, nameKey } from "./folder-name.ts";

/** The deepest allowed level, counted from 1 at the top. */
const MAX_DEPTH = 10;

/** The namespace of INBOX, in which top-level folders are created. */
export type RootNamespace = Pick<ListedMailbox, "prefix" | "delimiter">;

/** Returns whether a path equals another path or is below it. */
export const isWithin = (path: string, other: string, delimiter: string | null): boolean =>
  path === other || (delimiter !== null && path.startsWith(other + delimiter));

/** Returns the folder and its descendants. */
export const subtreeOf = (folders: ReadonlyArray<Folder>, folder: Folder): ReadonlyArray<Folder> =>
  folders.filter(({ path }) => isWithin(path, folder.path, folder.delimiter));

/** Returns the folder and its descendants; fails if a special folder is among them (spec 4). */
export const userSubtree = (
  folders: ReadonlyArray<Folder>,
  folder: Folder,
): Result.Result<ReadonlyArray<Folder>, FolderIsSystem> => {
  const subtree = subtreeOf(folders, folder);
  return subtree.some(({ role }) => role !== null) ? Result.fail(new FolderIsSystem()) : Result.succeed(subtree);
};

/**
 * Returns the path of a folder with this name in this parent (null: at the top), if the name is allowed there (spec 4).
 * `moving` is a folder that is moved there with its descendants; its own present name is no conflict.
 */
export const placeFor = (
  folders: ReadonlyArray<Folder>,
  root: RootNamespace,
  text: string,
  parent: Folder | null,
  moving?: Folder,
): Result.Result<string, FolderNameInvalid | FolderParentInvalid | FolderExists> => {
  const named = folderName(text, root.delimiter);
  if (Result.isFailure(named)) return Result.fail(named.failure);
  const name = named.success;
  const reason = parentFault(folders, root, parent, moving);
  if (reason !== undefined) return Result.fail(new FolderParentInvalid({ reason }));
  return isTaken(folders, name, parent, moving)
    ? Result.fail(new FolderExists())
    : Result.succeed(parent === null ? root.prefix + name : parent.path + root.delimiter + name);
};

const parentFault = (
  folders: ReadonlyArray<Folder>,
  root: RootNamespace,
  parent: Folder | null,
  moving: Folder | undefined,
): FolderParentInvalid["reason"] | undefined => {
  if (parent === null) return undefined;
  if (root.delimiter === null) return "holds_no_folders";
  if (moving !== undefined && isWithin(parent.path, moving.path, root.delimiter)) return "own_descendant";
  const levels = (folder: Folder) => depthOf(folders, folder);
  // A folder that another program made too deep can be renamed and moved up.
  if (moving !== undefined && levels(parent) < levels(moving)) return undefined;
  const height = moving === undefined ? 0 : Math.max(...subtreeOf(folders, moving).map(levels)) - levels(moving);
  return levels(parent) + 1 + height > MAX_DEPTH ? "too_deep" : undefined;
};

/** Returns the level, counted from 1 at the top, including parents that the server did not list. */
const depthOf = (folders: ReadonlyArray<Folder>, folder: Folder): number => {
  const parent = folders.find(({ id }) => id === folder.parentId);
  return parent === undefined ? 1 : depthOf(folders, parent) + 1;
};

const isTaken = (
  folders: ReadonlyArray<Folder>,
  name: string,
  parent: Folder | null,
  moving: Folder | undefined,
): boolean => {
  const key = nameKey(name);
  if (parent === null && key === "inbox") return true;
  return folders.some(
    (other) => other.parentId === (parent?.id ?? null) && other.id !== moving?.id && nameKey(other.name) === key,
  );
};
