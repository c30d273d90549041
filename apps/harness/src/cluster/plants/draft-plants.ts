import { ApprovalRecords, type Draft, DraftRecords, DraftsFolder } from "@postern/core/drafts";
import { MessageChanges } from "@postern/core/messages";
import { Effect, Option } from "effect";
import { type Plant, plant } from "./Plant.ts";

/** Bugs of drafts. */
export const draftPlants: ReadonlyArray<Plant> = [
  plant("draft-read-then-written", "a draft may change between its reading and its writing", DraftRecords, (real) => ({
    change: <A>(account: Draft["account"], id: string, decide: (draft: Draft) => readonly [A, Draft]) =>
      Effect.gen(function* () {
        const found = Option.getOrUndefined(yield* real.find(account, id));
        if (found === undefined) return Option.none<A>();
        const [answer, after] = decide(found);
        yield* Effect.sleep("100 millis");
        return Option.as(yield* real.change(account, id, () => [null, after]), answer);
      }),
  })),
  plant("draft-handover-not-stored", "a draft that is handed over stays a draft", DraftRecords, (real) => ({
    change: (account, id, decide) =>
      real.change(account, id, (draft) => {
        const [answer, after] = decide(draft);
        return [answer, after.state === "sending" ? draft : after];
      }),
  })),
  plant("denial-not-stored", "an approval that was denied stays pending", ApprovalRecords, (real) => ({
    change: (account, id, decide) =>
      real.change(account, id, (known) => {
        const [answer, after] = decide(known);
        return [answer, after.state === "denied" ? known : after];
      }),
  })),
  plant("approval-not-stored", "an approval is answered and stays pending", ApprovalRecords, (real) => ({
    change: (account, id, decide) =>
      real.change(account, id, (known) => {
        const [answer, after] = decide(known);
        return [answer, after.state === "approved" ? known : after];
      }),
  })),
  plant("stale-approval-stays", "an approval of a draft that was changed stays pending", ApprovalRecords, (real) => ({
    pending: (filter, limit) => ("draft" in filter ? Effect.succeed([]) : real.pending(filter, limit)),
  })),
  plant("draft-not-stored", "a draft is reported as stored and is not", DraftsFolder, (real) => ({
    append: (account, { draftId }) =>
      Effect.map(real.find(account, draftId, null), (found) => ({
        path: found?.path ?? "Drafts",
        uidValidity: found?.uidValidity ?? 1,
        uid: 1,
      })),
  })),
  plant("draft-copies-stay", "the copies of a draft that a save replaces stay", MessageChanges, (real) => ({
    destroy: (account, mailbox, uids) =>
      mailbox.path === "Drafts" ? Effect.succeed(new Set(uids)) : real.destroy(account, mailbox, uids),
  })),
];
