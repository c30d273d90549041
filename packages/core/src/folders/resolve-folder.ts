import { Result } from "effect";
import { FolderAmbiguous, FolderNotFound } from "../mail/index.ts";
import type { Folder } from "./Folder.ts";

/** Whether a folder parameter means INBOX, whose name IMAP compares case-insensitively (RFC 9051, 5.1). */
export const meansInbox = (wanted: string): boolean => wanted.toLowerCase() === "inbox";

/**
 * Returns the folder of a `?folder=` value: INBOX, then by id, by path, and by a name that only one folder has (spec
 * 4).
 */
export const resolveFolder = (
  folders: ReadonlyArray<Folder>,
  wanted: string,
): Result.Result<Folder, FolderNotFound | FolderAmbiguous> => {
  const exact =
    (meansInbox(wanted) ? folders.find((folder) => folder.role === "inbox") : undefined) ??
    folders.find((folder) => folder.id === wanted) ??
    folders.find((folder) => folder.path === wanted);
  if (exact !== undefined) return Result.succeed(exact);
  const named = folders.filter((folder) => folder.name === wanted);
  if (named.length > 1) return Result.fail(new FolderAmbiguous({ paths: named.map((folder) => folder.path) }));
  return named[0] === undefined ? Result.fail(new FolderNotFound()) : Result.succeed(named[0]);
};
