import { Effect } from "effect";
import { FolderNotFound } from "../mail/index.ts";
import type { Folder } from "./Folder.ts";

/** Returns the folder with this id. */
export const findFolder = (folders: ReadonlyArray<Folder>, id: string): Effect.Effect<Folder, FolderNotFound> => {
  const folder = folders.find((folder) => folder.id === id);
  return folder === undefined ? Effect.fail(new FolderNotFound()) : Effect.succeed(folder);
};
