import { type AccountId, type FolderRecord, FolderRecords } from "@postern/core";
import { Effect, Layer } from "effect";

/** Folder ids remembered as long as the process lasts. */
export const FolderRecordsInMemory = Layer.sync(FolderRecords, () => {
  const accounts = new Map<AccountId, ReadonlyArray<FolderRecord>>();
  return {
    load: (account) => Effect.sync(() => accounts.get(account) ?? []),
    replace: (account, records) => Effect.sync(() => void accounts.set(account, [...records])),
  };
});
