import type { Folder } from "../folders/index.ts";
import type { FoundUids } from "./ports/MessageSearch.ts";

/** The search results of one folder. */
export interface FolderFinds extends FoundUids {
  readonly folder: Pick<Folder, "id" | "path">;
}
