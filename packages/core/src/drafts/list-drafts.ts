import { Effect } from "effect";
import type { AccountId } from "../shared/index.ts";
import { compareCopies } from "./draft-copies.ts";
import { entryOf, foreignEntry } from "./draft-entries.ts";
import type { DraftEntry } from "./DraftEntry.ts";
import { messageIdsOf } from "./foreign-drafts.ts";
import { MAX_LISTED } from "./limits.ts";
import { type DraftStore, followDraft } from "./open-draft.ts";

/** Returns the drafts of an account, including drafts of other clients; reads at most 200 messages of the folder. */
export const listDrafts = Effect.fnUntraced(function* (store: DraftStore, account: AccountId) {
  const { records, folder, foreign, copies } = store;
  const found = yield* folder.list(account, MAX_LISTED);
  const rows = yield* Effect.forEach(yield* records.list(account), (draft) => followDraft(store, draft));
  if (found === null) return [];
  const open = rows.filter(({ state }) => state !== "sent");
  const comparisons = yield* Effect.forEach(open, (draft) => compareCopies(copies, draft, found));
  const summaries = new Map(found.copies.map(({ uid, summary }) => [uid, summary]));
  const taken = new Set<number>();
  const entries = open.flatMap((draft, n): ReadonlyArray<DraftEntry> => {
    const comparison = comparisons[n]!;
    const isOlder = found.isPartial && comparison._tag === "Gone" && draft.copy !== null;
    if (comparison._tag === "Gone") return isOlder || draft.state === "sending" ? [entryOf(draft)] : [];
    for (const uid of [comparison.copy.uid, ...comparison.superseded]) taken.add(uid);
    if (comparison._tag === "Current" || draft.state === "sending") return [entryOf(draft)];
    return [foreignEntry(draft.id, draft.version + 1, summaries.get(comparison.copy.uid)!)];
  });
  const others = found.copies.filter(({ uid }) => !taken.has(uid));
  const ids = yield* messageIdsOf(
    foreign,
    account,
    found,
    others.map(({ uid }) => uid),
  );
  return [...entries, ...ids.map((id, n) => foreignEntry(id, 1, others[n]!.summary))];
});
