import { Effect, Layer } from "effect";
import type { AccountData } from "../shared/index.ts";
import { FolderManagement } from "./FolderManagement.ts";
import { FolderRemover } from "./FolderRemover.ts";
import { Folders } from "./Folders.ts";
import { FolderRecords } from "./ports/FolderRecords.ts";
import { FolderRemovals } from "./ports/FolderRemovals.ts";
import { RemovalResumption } from "./RemovalResumption.ts";

const data = Effect.gen(function* () {
  const records = yield* FolderRecords;
  const removals = yield* FolderRemovals;
  return {
    name: "folders",
    erase: (account) => Effect.andThen(records.erase(account), removals.erase(account)),
    needsCredential: (account) =>
      Effect.map(removals.unfinished, (all) => all.some((removal) => removal.account === account)),
  } satisfies AccountData;
});

/** Folders: listed, managed, removed. */
export const folders = {
  layer: Layer.merge(FolderManagement.layer, RemovalResumption).pipe(
    Layer.provideMerge(Layer.merge(Folders.layer, FolderRemover.layer)),
  ),
  data,
};
