export interface NewFolder {
  readonly name: string;
  /** The id of the parent; null for the top level. */
  readonly parentId: string | null;
}

/** The changes to a folder; undefined fields stay as they are. */
export interface FolderChange {
  readonly name?: string | undefined;
  readonly parentId?: string | null | undefined;
}

export interface RemovalRequest {
  /** The id of the folder that receives the messages; by default Trash. */
  readonly moveTo?: string | undefined;
  /** Whether to delete the messages permanently instead. */
  readonly permanent: boolean;
  /** Whether to remove the subfolders too. */
  readonly recursive: boolean;
}

export interface RemovedFolder {
  readonly id: string;
  readonly movedTo: string | null;
  readonly movedCount: number;
}
