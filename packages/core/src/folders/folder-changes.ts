import type { FolderRecord } from "./FolderRecord.ts";

/** A change of a folder between two listings. */
export interface FolderChange {
  readonly type: "folder.created" | "folder.renamed" | "folder.deleted";
  readonly id: string;
  readonly name: string;
  readonly path: string;
}

/** Returns the changes between two listings of an account's folders (spec 7); none for the first listing. */
export const folderChanges = (
  before: ReadonlyArray<FolderRecord>,
  after: ReadonlyArray<FolderRecord>,
  delimiter: string | null,
): ReadonlyArray<FolderChange> => {
  if (before.length === 0) return [];
  const change = (type: FolderChange["type"], { id, path }: FolderRecord): FolderChange => ({
    type,
    id,
    name: delimiter === null ? path : path.slice(path.lastIndexOf(delimiter) + 1),
    path,
  });
  const old = new Map(before.map((record) => [record.id, record]));
  const left = new Set(after.map(({ id }) => id));
  return [
    ...before.filter(({ id }) => !left.has(id)).map((record) => change("folder.deleted", record)),
    ...after.flatMap((record) => {
      const known = old.get(record.id);
      if (known === undefined) return [change("folder.created", record)];
      return known.path === record.path ? [] : [change("folder.renamed", record)];
    }),
  ];
};
