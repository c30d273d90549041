import type { Folder } from "./Folder.ts";
import type { FolderRecord } from "./FolderRecord.ts";

/** A user's folder with the details that folder management shows (spec 2.4). */
export interface ManagedFolder {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  /** When the folder was created, in epoch milliseconds; for another client's folder, when Postern first listed it. */
  readonly createdAt: number;
  readonly messageCount: number;
}

export const managedFolder = (folder: Folder, record: FolderRecord): ManagedFolder => ({
  id: folder.id,
  name: folder.name,
  parentId: folder.parentId,
  createdAt: record.createdAt,
  messageCount: folder.totalCount,
});
