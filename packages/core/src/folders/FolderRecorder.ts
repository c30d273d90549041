import { Clock, Context, Effect, Layer } from "effect";
import { eventAccount } from "../events/neighbours.ts";
import { eventId, EventPublisher, writeEvent } from "../events/index.ts";
import { type AccountId, Entropy, OpaqueIds, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { folderChanges } from "./folder-changes.ts";
import type { FolderRecord } from "./FolderRecord.ts";
import { FolderRecords } from "./ports/FolderRecords.ts";

/** Saves folder records together with the events about their changes (spec 7). */
export class FolderRecorder extends Context.Service<
  FolderRecorder,
  {
    /**
     * Replaces the records `known` by `records`, with one event for each folder created, renamed or deleted. False,
     * with nothing done, if another process has replaced `known`.
     */
    readonly replace: (
      account: AccountId,
      known: ReadonlyArray<FolderRecord>,
      records: ReadonlyArray<FolderRecord>,
      delimiter: string | null,
    ) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/folders/FolderRecorder") {
  static readonly layer = Layer.effect(
    FolderRecorder,
    Effect.gen(function* () {
      const store = yield* FolderRecords;
      const publisher = yield* EventPublisher;
      const ids = yield* OpaqueIds;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;

      const replace: FolderRecorder["Service"]["replace"] = Effect.fnUntraced(function* (
        account,
        known,
        records,
        delimiter,
      ) {
        if (!(yield* store.replace(account, records, known))) return false;
        const now = yield* Clock.currentTimeMillis;
        const of = eventAccount(ids, account);
        const events = yield* Effect.forEach(folderChanges(known, records, delimiter), ({ type, ...data }) =>
          Effect.map(entropy.id(128), (random) => writeEvent(eventId(now, random), of, type, now, data)),
        );
        yield* publisher.publish(events);
        return true;
      }, transaction.run);

      return FolderRecorder.of({ replace });
    }),
  );
}
