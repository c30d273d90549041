import type { Folder } from "./Folder.ts";
import type { FolderRecord } from "./FolderRecord.ts";
import type { ListedMailbox } from "./ListedMailbox.ts";

/** The path of the folder a path lies in, or null at the top. */
export const parentPath = (path: string, delimiter: string | null): string | null => {
  const cut = delimiter === null ? -1 : path.lastIndexOf(delimiter);
  return cut > 0 ? path.slice(0, cut) : null;
};

/** The last part of a path. */
export const nameOf = (path: string, delimiter: string | null): string => {
  const parent = parentPath(path, delimiter);
  return parent === null ? path : path.slice(parent.length + 1);
};

/** Folders as clients see them, in the order listed; `records` pairs with `listed`. */
export const foldersOf = (
  listed: ReadonlyArray<ListedMailbox>,
  records: ReadonlyArray<FolderRecord>,
): ReadonlyArray<Folder> => {
  const idByPath = new Map(records.map((record) => [record.path, record.id]));
  return listed.map((mailbox) => {
    const parent = parentPath(mailbox.path, mailbox.delimiter);
    return {
      id: idByPath.get(mailbox.path)!,
      name: nameOf(mailbox.path, mailbox.delimiter),
      path: mailbox.path,
      role: mailbox.role,
      parentId: parent === null ? null : (idByPath.get(parent) ?? null),
      delimiter: mailbox.delimiter,
      selectable: mailbox.status !== null,
      unreadCount: mailbox.status?.unread ?? 0,
      totalCount: mailbox.status?.total ?? 0,
    };
  });
};
