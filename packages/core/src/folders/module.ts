import { Effect, Layer } from "effect";
import type { AccountData } from "../shared/neighbours.ts";
import { FolderManagement } from "./FolderManagement.ts";
import { FolderRemover } from "./FolderRemover.ts";
import { Folders } from "./Folders.ts";
import { FolderRecords } from "./ports/FolderRecords.ts";
import { FolderRemovals } from "./ports/FolderRemovals.ts";

const data = Effect.gen(function* () {
  const records = yield* FolderRecords;
  const removals = yield* FolderRemovals;
  return {
    name: "folders",
    erase: (account) => Effect.andThen(records.erase(account), removals.erase(account)),
    needsCredential: (account) => Effect.map(removals.unfinished(account), (all) => all.length > 0),
  } satisfies AccountData;
});

/** The domain of folders: listing, management and removal. Its worker resumes unfinished removals. */
export const folders = {
  layer: FolderManagement.layer.pipe(Layer.provideMerge(FolderRemover.layer), Layer.provideMerge(Folders.layer)),
  data,
  workers: Effect.map(FolderRemover, ({ worker }) => [worker]),
  sweeps: Effect.map(FolderRemover, ({ sweep }) => [sweep]),
};
