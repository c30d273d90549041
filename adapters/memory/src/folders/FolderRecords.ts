import type { AccountId } from "@postern/core/shared";
import { type FolderRecord, FolderRecords, sameFolders } from "@postern/core/folders";
import { Effect, HashMap, Layer, Option } from "effect";
import { Memory } from "../store/Memory.ts";

/** Folder records, kept in memory. */
export const layer = Layer.effect(
  FolderRecords,
  Effect.gen(function* () {
    const { cell } = yield* Memory;
    const accounts = yield* cell("folders", HashMap.empty<AccountId, ReadonlyArray<FolderRecord>>());
    return FolderRecords.of({
      load: (account) => Effect.map(accounts.get, (all) => Option.getOrElse(HashMap.get(all, account), () => [])),
      replace: (account, records, known) =>
        accounts.modify((all) => {
          const current = Option.getOrElse(HashMap.get(all, account), () => []);
          const isStale = known !== undefined && !sameFolders(known, current);
          return isStale ? [false, all] : [true, HashMap.set(all, account, [...records])];
        }),
      erase: (account) => accounts.modify((all) => [undefined, HashMap.remove(all, account)]),
    });
  }),
);
