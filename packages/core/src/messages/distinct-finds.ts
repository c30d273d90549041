import type { FolderFinds } from "./FolderFinds.ts";

/**
 * Returns the results without those that an earlier folder holds too: a message with several labels (Gmail), or its
 * copies. `emailIds` has the server's id of each message, per folder.
 */
export const distinctFinds = (
  finds: ReadonlyArray<FolderFinds>,
  emailIds: ReadonlyArray<ReadonlyMap<number, string>>,
): ReadonlyArray<FolderFinds> => {
  const before = new Set<string>();
  return finds.map((found, n) => {
    const idOf = (uid: number) => emailIds[n]?.get(uid);
    const isFirst = (uid: number) => !before.has(idOf(uid) ?? "");
    const [uids, unread] = [found.uids.filter(isFirst), found.unread.filter(isFirst)];
    for (const uid of uids) {
      const id = idOf(uid);
      if (id !== undefined) before.add(id);
    }
    return { ...found, uids, unread };
  });
};
