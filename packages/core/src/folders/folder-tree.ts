import type { Folder } from "./Folder.ts";
import type { FolderRecord } from "./FolderRecord.ts";
import type { ListedMailbox } from "../mail/index.ts";

type Named = Pick<ListedMailbox, "path" | "prefix" | "delimiter">;

/** Returns the parent's path; null at the top of the namespace. */
export const parentPath = ({ path, prefix, delimiter }: Named): string | null => {
  const cut = delimiter === null ? -1 : path.lastIndexOf(delimiter);
  return cut > 0 && cut >= prefix.length ? path.slice(0, cut) : null;
};

/** Returns the last part of a path. */
export const nameOf = (mailbox: Named): string => {
  const { path, prefix } = mailbox;
  const parent = parentPath(mailbox);
  if (parent !== null) return path.slice(parent.length + 1);
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
};

/** Returns folders as clients see them, in the order listed; `records` is parallel to `listed`. */
export const foldersOf = (
  listed: ReadonlyArray<ListedMailbox>,
  records: ReadonlyArray<FolderRecord>,
): ReadonlyArray<Folder> => {
  const byPath = new Map(records.map((record) => [record.path, record]));
  return listed.map((mailbox) => {
    const parent = parentPath(mailbox);
    const { id, key } = byPath.get(mailbox.path)!;
    return {
      id,
      key,
      name: nameOf(mailbox),
      path: mailbox.path,
      role: mailbox.role,
      parentId: parent === null ? null : (byPath.get(parent)?.id ?? null),
      delimiter: mailbox.delimiter,
      selectable: mailbox.status !== null,
      unreadCount: mailbox.status?.unread ?? 0,
      totalCount: mailbox.status?.total ?? 0,
    };
  });
};
