import type { ListedMailbox } from "../mail/index.ts";
import type { Folder } from "./Folder.ts";
import type { RootNamespace } from "./folder-place.ts";
import type { FolderRecord } from "./FolderRecord.ts";

/** The folders of an account at one time, without folders that are being removed; the three lists are parallel. */
export interface FolderSnapshot {
  readonly root: RootNamespace;
  readonly listed: ReadonlyArray<ListedMailbox>;
  readonly records: ReadonlyArray<FolderRecord>;
  readonly folders: ReadonlyArray<Folder>;
}
