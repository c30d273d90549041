import { Clock, Context, Effect, Layer, Option } from "effect";
import type { ListedMailbox, MailboxAccessError } from "../mail/index.ts";
import { eventAccount } from "../events/neighbours.ts";
import { eventId, EventPublisher, writeEvent } from "../events/index.ts";
import { Entropy, OpaqueIds, Transaction } from "../shared/index.ts";
import { FolderRecorder } from "./FolderRecorder.ts";
import type { FolderRecord } from "./FolderRecord.ts";
import type { FolderRemoval } from "./FolderRemoval.ts";
import { hiddenMailboxes } from "./folder-removal-state.ts";
import { FolderRecords } from "./ports/FolderRecords.ts";
import { FolderRemovals } from "./ports/FolderRemovals.ts";
import { MailboxTree } from "./ports/MailboxTree.ts";

/** Ends failed removals: deletes them from the journal and publishes `folder.delete_failed`. */
export class RemovalSettlement extends Context.Service<
  RemovalSettlement,
  {
    /** Whether the server lists mailboxes that the removal has hidden; undefined if it does not answer. */
    readonly hides: (removal: FolderRemoval) => Effect.Effect<boolean | undefined>;
    /** Deletes a removal, with an event if a reason is given. `save` fails if the lease was lost. */
    readonly end: (
      removal: FolderRemoval,
      reason: string | undefined,
      save: Effect.Effect<void, MailboxAccessError>,
    ) => Effect.Effect<void, MailboxAccessError>;
    /** Ends a removal whose folder was renamed back, and restores its record with its id. */
    readonly endRestored: (
      removal: FolderRemoval,
      mailbox: ListedMailbox,
      save: Effect.Effect<void, MailboxAccessError>,
    ) => Effect.Effect<void, MailboxAccessError>;
  }
>()("@postern/core/folders/RemovalSettlement") {
  static readonly layer = Layer.effect(
    RemovalSettlement,
    Effect.gen(function* () {
      const journal = yield* FolderRemovals;
      const tree = yield* MailboxTree;
      const records = yield* FolderRecords;
      const recorder = yield* FolderRecorder;
      const publisher = yield* EventPublisher;
      const ids = yield* OpaqueIds;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;

      const hides = (removal: FolderRemoval) =>
        Effect.map(Effect.option(tree.list(removal.account)), (listed) =>
          Option.getOrUndefined(Option.map(listed, (there) => hiddenMailboxes(removal, there).length > 0)),
        );

      const end = Effect.fnUntraced(function* (
        removal: FolderRemoval,
        reason: string | undefined,
        save: Effect.Effect<void, MailboxAccessError>,
      ) {
        yield* save;
        yield* journal.forget(removal.id);
        if (reason === undefined) return;
        const now = yield* Clock.currentTimeMillis;
        const { folderId: id, path, delimiter } = removal;
        const name = delimiter === null ? path : path.slice(path.lastIndexOf(delimiter) + 1);
        const random = yield* entropy.id(128);
        const data = { id, name, path, reason };
        yield* publisher.publish([
          writeEvent(eventId(now, random), eventAccount(ids, removal.account), "folder.delete_failed", now, data),
        ]);
      }, transaction.run);

      const endRestored = Effect.fnUntraced(function* (
        removal: FolderRemoval,
        mailbox: ListedMailbox,
        save: Effect.Effect<void, MailboxAccessError>,
      ) {
        for (let recorded = false; !recorded;) {
          const known = yield* records.load(removal.account);
          const others = known.filter(({ id, path }) => id !== removal.folderId && path !== mailbox.path);
          recorded = yield* recorder.replace(
            removal.account,
            known,
            [...others, recordOf(removal, mailbox)],
            removal.delimiter,
          );
        }
        yield* end(removal, removal.reason ?? "the folder was not removed", save);
      });

      return RemovalSettlement.of({ hides, end, endRestored });
    }),
  ).pipe(Layer.provide(FolderRecorder.layer));
}

const recordOf = ({ folderId, begunAt }: FolderRemoval, { path, status }: ListedMailbox): FolderRecord => ({
  id: folderId,
  path,
  mailboxId: status?.mailboxId ?? null,
  uidValidity: status?.uidValidity ?? null,
  uidNext: status?.uidNext ?? null,
  createdAt: begunAt,
});
