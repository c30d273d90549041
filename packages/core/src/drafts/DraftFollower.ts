import { Clock, Context, Effect, Layer, Option } from "effect";
import { CredentialRelease } from "../auth/index.ts";
import { MessageLocator } from "../messages/index.ts";
import { LEASE, markAnswered, RENEW_EVERY } from "../send/neighbours.ts";
import { OutgoingJournal, UploadRecords } from "../send/index.ts";
import { type HeldLease, endUnlessHeld, leasedWorker, type LeasedWorker } from "../shared/neighbours.ts";
import { Transaction } from "../shared/index.ts";
import type { Draft } from "./Draft.ts";
import { compareCopies, draftCopies, removeCopies } from "./draft-copies.ts";
import { requestOf } from "./draft-request.ts";
import { afterRemoval, follow } from "./draft-state.ts";
import { DraftRecords } from "./ports/DraftRecords.ts";

/** The maximum number of drafts that this process follows concurrently. */
const MAX_AT_ONCE = 10;

/** Follows drafts that are being sent: removes the copies of a sent draft, marks the message that it answers, and makes a failed draft editable again (spec 12.1). */
export class DraftFollower extends Context.Service<DraftFollower, LeasedWorker>()(
  "@postern/core/drafts/DraftFollower",
) {
  static readonly layer = Layer.effect(
    DraftFollower,
    Effect.gen(function* () {
      const records = yield* DraftRecords;
      const copies = yield* draftCopies;
      const locator = yield* MessageLocator;
      const journal = yield* OutgoingJournal;
      const uploads = yield* UploadRecords;
      const transaction = yield* Transaction;
      const { release: releaseCredential } = yield* CredentialRelease;

      /** Changes a draft. Once there is nothing more to do for it, its account may not need a credential any more. */
      const change = Effect.fnUntraced(function* ({ account, id }: Draft, next: (known: Draft) => Draft) {
        const isFinished = yield* records.change(account, id, (known) => {
          const after = next(known);
          return [after.checkAt === null, after];
        });
        if (Option.contains(isFinished, true)) yield* releaseCredential(account);
      });

      /** Removes the copies that the sent version supersedes. A version that another client wrote later stays. */
      const removeSuperseded = Effect.fnUntraced(function* (draft: Draft, held: HeldLease) {
        const { account, id, copy } = draft;
        const found = yield* copies.folder.find(account, id, copy?.uid ?? null);
        const compared = yield* compareCopies(copies, draft, found);
        if (found === null || compared._tag === "Gone") return;
        const uids = compared._tag === "Current" ? [...compared.superseded, compared.copy.uid] : compared.superseded;
        yield* endUnlessHeld(held);
        yield* removeCopies(copies, account, found, uids);
      });

      const settle = Effect.fnUntraced(function* (draft: Draft, held: HeldLease) {
        const isDone = yield* removeSuperseded(draft, held).pipe(
          Effect.as(true),
          Effect.catch((error) =>
            Effect.as(Effect.logWarning("removing the copies of a sent draft failed", error._tag), false),
          ),
        );
        // The sender marks the original only of a message that is sent at once.
        yield* markAnswered(locator, copies.changes, draft.account, requestOf(draft.contents));
        const now = yield* Clock.currentTimeMillis;
        yield* transaction.run(
          Effect.gen(function* () {
            yield* change(draft, (known) => (known.state === "sent" ? afterRemoval(known, isDone, now) : known));
            if (isDone) yield* uploads.unpin([draft.id]);
          }),
        );
      });

      const work = Effect.fn("DraftFollower.work")(function* (draft: Draft, held: HeldLease) {
        if (draft.state === "sent") return yield* settle(draft, held);
        const now = yield* Clock.currentTimeMillis;
        const entry =
          draft.outgoing === null ? null : Option.getOrNull(yield* journal.find(draft.account, draft.outgoing.id, now));
        // After a lost lease, the draft may have been sent again, as another message.
        const next = (known: Draft) => (known.outgoing?.id === draft.outgoing?.id ? follow(known, entry, now) : known);
        yield* transaction.run(change(draft, next));
      });

      const worker = yield* leasedWorker({
        name: "sent drafts",
        rows: records,
        idOf: ({ id }) => id,
        maxAtOnce: MAX_AT_ONCE,
        lease: LEASE,
        renewEvery: RENEW_EVERY,
        work: (draft, held) =>
          Effect.catch(work(draft, held), (error) =>
            Effect.logWarning("a draft in flight was not followed, it is claimed again when its lease expires", error),
          ),
      });
      return DraftFollower.of(worker);
    }),
  );
}
