import { Clock, Effect } from "effect";
import { eventId, EventPublisher, writeEvent } from "../events/index.ts";
import { type AccountId, Entropy, Transaction } from "../shared/index.ts";
import { folderChanges } from "./folder-changes.ts";
import type { FolderRecord } from "./FolderRecord.ts";
import { FolderRecords } from "./ports/FolderRecords.ts";

/**
 * Puts records in the place of those they were made from, with one event for each folder that came, went or was renamed
 * (spec 7). False, and nothing done, where somebody else replaced those meanwhile.
 */
export const recordFolders = Effect.gen(function* () {
  const store = yield* FolderRecords;
  const publisher = yield* EventPublisher;
  const entropy = yield* Entropy;
  const transaction = yield* Transaction;

  return Effect.fnUntraced(function* (
    account: AccountId,
    known: ReadonlyArray<FolderRecord>,
    records: ReadonlyArray<FolderRecord>,
    delimiter: string | null,
  ) {
    if (!(yield* store.replace(account, records, known))) return false;
    const now = yield* Clock.currentTimeMillis;
    const events = yield* Effect.forEach(folderChanges(known, records, delimiter), ({ type, ...data }) =>
      Effect.map(entropy.id(128), (random) => writeEvent(eventId(now, random), account, type, now, data)),
    );
    yield* publisher.publish(events);
    return true;
  }, transaction.run);
});
