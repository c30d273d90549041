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

/** The deepest a folder may lie, counted from 1 at the top. */
const MAX_DEPTH = 10;

/** Where folders at the top are made: the namespace that INBOX is of. */
export type Root = Pick<ListedMailbox, "prefix" | "delimiter">;

/** Whether a path is another or lies below it. */
export const isWithin = (path: string, other: string, delimiter: string | null): boolean =>
  path === other || (delimiter !== null && path.startsWith(other + delimiter));

/** The folder itself and all that lies in it. */
export const subtreeOf = (folders: ReadonlyArray<Folder>, folder: Folder): ReadonlyArray<Folder> =>
  folders.filter(({ path }) => isWithin(path, folder.path, folder.delimiter));

/** The folder with all that lies in it, unless a special folder is among them (spec 4). */
export const userSubtree = (
  folders: ReadonlyArray<Folder>,
  folder: Folder,
): Result.Result<ReadonlyArray<Folder>, FolderIsSystem> => {
  const subtree = subtreeOf(folders, folder);
  return subtree.some(({ role }) => role !== null) ? Result.fail(new FolderIsSystem()) : Result.succeed(subtree);
};

/**
 * The path of a folder with this name in this parent (null: at the top), if it may lie there (spec 4). `moving`
 * is the folder that comes from elsewhere, which is no rival of itself and brings along what lies in it.
 */
export const placeFor = (
  folders: ReadonlyArray<Folder>,
  root: Root,
  text: string,
  parent: Folder | null,
  moving?: Folder,
): Result.Result<string, FolderNameInvalid | FolderParentInvalid | FolderExists> => {
  const named = folderName(text, root.delimiter);
  if (Result.isFailure(named)) return Result.fail(named.failure);
  const name = named.success;
  const reason = whyNotIn(folders, root, parent, moving);
  if (reason !== undefined) return Result.fail(new FolderParentInvalid({ reason }));
  return isTaken(folders, name, parent, moving)
    ? Result.fail(new FolderExists())
    : Result.succeed(parent === null ? root.prefix + name : parent.path + root.delimiter + name);
};

const whyNotIn = (
  folders: ReadonlyArray<Folder>,
  root: Root,
  parent: Folder | null,
  moving: Folder | undefined,
): FolderParentInvalid["reason"] | undefined => {
  if (parent === null) return undefined;
  if (root.delimiter === null) return "holds_no_folders";
  if (moving !== undefined && isWithin(parent.path, moving.path, root.delimiter)) return "own_descendant";
  const levels = (folder: Folder) => depthOf(folders, folder);
  const height = moving === undefined ? 0 : Math.max(...subtreeOf(folders, moving).map(levels)) - levels(moving);
  return levels(parent) + 1 + height > MAX_DEPTH ? "too_deep" : undefined;
};

/** From 1 at the top; parent names that the server did not list count too. */
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
