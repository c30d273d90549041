import { Clock, Effect } from "effect";
import { eventAccount } from "../events/neighbours.ts";
import { eventId, EventPublisher, writeEvent } from "../events/index.ts";
import { type AccountId, Entropy, OpaqueIds, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { folderChanges } from "./folder-changes.ts";
import type { FolderRecord } from "./FolderRecord.ts";
import { FolderRecords } from "./ports/FolderRecords.ts";

/** The ports and services that write changes of folder records. */
export const folderWriter = Effect.all({
  records: FolderRecords,
  publisher: EventPublisher,
  ids: OpaqueIds,
  entropy: Entropy,
  transaction: Transaction,
});
export type FolderWriter = Effect.Success<typeof folderWriter>;

/**
 * Replaces the records `known` by `next`, with one event for each folder created, renamed or deleted (spec 7). Returns
 * false without a change if another process has replaced `known`.
 */
export const recordFolders = (
  { records, publisher, ids, entropy, transaction }: FolderWriter,
  account: AccountId,
  known: ReadonlyArray<FolderRecord>,
  next: ReadonlyArray<FolderRecord>,
  delimiter: string | null,
): Effect.Effect<boolean, StoreUnavailable> =>
  transaction.run(
    Effect.gen(function* () {
      if (!(yield* records.replace(account, next, known))) return false;
      const now = yield* Clock.currentTimeMillis;
      const of = eventAccount(ids, account);
      const events = yield* Effect.forEach(folderChanges(known, next, delimiter), ({ type, ...data }) =>
        Effect.map(entropy.id(128), (random) => writeEvent(eventId(now, random), of, type, now, data)),
      );
      yield* publisher.publish(events);
      return true;
    }),
  );

/** Replaces the records by the result of `change`; tries again if another process replaced them meanwhile. */
export const changeFolders = Effect.fnUntraced(function* (
  writer: FolderWriter,
  account: AccountId,
  delimiter: string | null,
  change: (known: ReadonlyArray<FolderRecord>) => ReadonlyArray<FolderRecord>,
) {
  for (;;) {
    const known = yield* writer.records.load(account);
    if (yield* recordFolders(writer, account, known, change(known), delimiter)) return;
  }
});
