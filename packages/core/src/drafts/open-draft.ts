import { Clock, Effect, Option } from "effect";
import type { MailboxAccessError } from "../mail/index.ts";
import { type MessageTooLarge, OutgoingJournal, UploadRecords } from "../send/index.ts";
import { type AccountId, type InputInvalid, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { checkerOf } from "../shared/neighbours.ts";
import { LongId } from "../shared/rules.ts";
import type { CopyPlace, Draft } from "./Draft.ts";
import { absorb, type Comparison, follow, isCopyOf, isCurrentDraft } from "./draft-state.ts";
import { approvalStore, endPendingApprovals } from "./approvals/end-approvals.ts";
import { compareCopies, draftCopies } from "./draft-copies.ts";
import { DraftChanged, DraftNotFound } from "./errors.ts";
import { findForeign, foreignDrafts, readForeign } from "./foreign-drafts.ts";
import { DraftRecords } from "./ports/DraftRecords.ts";
import { DraftsFolder } from "./ports/DraftsFolder.ts";

/** A draft with the comparison of its copies; `compared` is null while the draft is being sent and after it was sent. */
export interface OpenDraft {
  readonly draft: Draft;
  readonly copies: Comparison | null;
}

/** Checks the id of a draft. The id of a draft that another client wrote encodes its location. */
const checkDraft = checkerOf({ id: LongId });

type OpenError = InputInvalid | MailboxAccessError | DraftNotFound | DraftChanged | MessageTooLarge;

/** The ports that read and store drafts (spec 12.1). */
export const draftStore = Effect.all({
  records: DraftRecords,
  folder: DraftsFolder,
  journal: OutgoingJournal,
  uploadRecords: UploadRecords,
  transaction: Transaction,
  copies: draftCopies,
  foreign: foreignDrafts,
  ended: approvalStore,
}).pipe(Effect.map(({ ended, ...ports }) => ({ ...ports, ...ended })));
export type DraftStore = Effect.Success<typeof draftStore>;

/** Returns a stored draft, updated from its outgoing message. */
export const followDraft = Effect.fnUntraced(function* (
  { journal, records }: DraftStore,
  draft: Draft,
): Effect.fn.Return<Draft, StoreUnavailable> {
  if (draft.state !== "sending" || draft.outgoing === null) return draft;
  const now = yield* Clock.currentTimeMillis;
  const entry = Option.getOrNull(yield* journal.find(draft.account, draft.outgoing.id, now));
  if (follow(draft, entry, now).state === "sending") return draft;
  const changed = yield* records.change(draft.account, draft.id, (known) => {
    const after = known.outgoing?.id === draft.outgoing?.id ? follow(known, entry, now) : known;
    return [after, after];
  });
  return Option.getOrElse(changed, () => draft);
});

/**
 * Returns the row of a draft, if the draft has one, after updating the row from the state of the draft's outgoing
 * message.
 */
export const findDraft = Effect.fnUntraced(function* (
  store: DraftStore,
  account: AccountId,
  id: string,
): Effect.fn.Return<Option.Option<Draft>, InputInvalid | StoreUnavailable> {
  yield* checkDraft({ id });
  const found = yield* store.records.find(account, id);
  return Option.isSome(found) ? Option.some(yield* followDraft(store, found.value)) : found;
});

/** Ends the pending approvals of a draft whose approved version no longer exists, in the transaction that changes the draft. */
export const endOfVersion = (store: DraftStore, { account, id }: Pick<Draft, "account" | "id">) =>
  endPendingApprovals(store, { account, draft: id }, { state: "stale" });

/** Pins the files of a draft, and releases all files pinned for it before. */
const pinOnly = Effect.fnUntraced(function* (
  { uploadRecords: uploads }: DraftStore,
  { account, id, contents: { attachments } }: Draft,
) {
  yield* uploads.unpin([id]);
  const files = attachments.map(({ uploadId }) => uploadId);
  if (files.length > 0 && !(yield* uploads.pin(account, files, id))) return yield* new DraftChanged();
});

/**
 * Returns the stored draft to which a copy in the folder belongs. The draft may be sent already, if its copy is not
 * removed yet.
 */
const ownerOf = Effect.fnUntraced(function* (store: DraftStore, account: AccountId, id: string, place: CopyPlace) {
  const { folder, records, copies } = store;
  const found = yield* folder.find(account, id, place.uid);
  const copy = found?.copies.find(({ uid }) => uid === place.uid);
  if (found === null || copy === undefined || found.uidValidity !== place.uidValidity) return null;
  const owner = (yield* records.list(account)).find((draft) => isCopyOf(draft, place.uidValidity, copy));
  if (owner !== undefined) return yield* followDraft(store, owner);
  const sent = copy.mark === null ? null : Option.getOrNull(yield* records.find(account, copy.mark.draftId));
  if (sent === null || !isCopyOf(sent, place.uidValidity, copy)) return null;
  const known = yield* compareCopies(copies, sent, yield* folder.find(account, sent.id, place.uid));
  // Another client stored this message, and no save of the draft superseded it.
  return known._tag === "Changed" && !known.superseded.includes(place.uid) ? null : sent;
});

/** Makes a row for another client's draft. */
const adopt = Effect.fnUntraced(function* (store: DraftStore, account: AccountId, id: string) {
  const place = yield* findForeign(store.foreign, account, id);
  const owner = yield* ownerOf(store, account, id, place);
  if (owner !== null) return owner;
  const contents = yield* readForeign(store.foreign, account, place);
  const draft: Draft = { ...NEW_DRAFT, id, account, savedAt: yield* Clock.currentTimeMillis, contents, copy: place };
  return yield* store.transaction.run(
    Effect.gen(function* () {
      // Another request may have opened the draft meanwhile.
      if (!(yield* store.records.insert(draft))) return yield* new DraftChanged();
      yield* pinOnly(store, draft);
      return draft;
    }),
  );
});

/** Returns a stored draft with its copies, by its own id or the message id of its copy; makes a row for another client's draft. */
export const compareDraft = Effect.fn("compareDraft")(function* (
  store: DraftStore,
  account: AccountId,
  id: string,
): Effect.fn.Return<OpenDraft, OpenError> {
  const known = yield* findDraft(store, account, id);
  const draft = Option.isSome(known)
    ? known.value
    : yield* Effect.catchTag(adopt(store, account, id), "MessageNotFound", () =>
        // Another request may have adopted the draft and replaced its message meanwhile.
        Effect.flatMap(
          findDraft(store, account, id),
          Option.match({ onNone: () => new DraftNotFound(), onSome: Effect.succeed }),
        ),
      );
  if (draft.state !== "draft") return { draft, copies: null };
  const found = yield* store.folder.find(account, draft.id, draft.copy?.uid ?? null);
  return { draft, copies: yield* compareCopies(store.copies, draft, found) };
});

/** Adopts the version that another client stored. */
const takeOver = Effect.fnUntraced(function* (
  store: DraftStore,
  draft: Draft,
  changed: Extract<Comparison, { readonly _tag: "Changed" }>,
) {
  const contents = yield* readForeign(store.foreign, draft.account, changed.copy);
  const saved = { version: draft.version + 1, contents, savedAt: yield* Clock.currentTimeMillis };
  return yield* store.transaction.run(
    Effect.gen(function* () {
      const after = yield* store.records.change(draft.account, draft.id, (known) => {
        const [isDone, next] = absorb(known, draft, saved, changed);
        return [isDone ? next : null, next];
      });
      const taken = Option.getOrNull(after);
      if (taken === null) return yield* new DraftChanged();
      yield* endOfVersion(store, taken);
      yield* pinOnly(store, taken);
      return taken;
    }),
  );
});

/** Deletes the row of a draft whose copy is gone, unless the draft was saved or sent since the check for the copy. */
const forget = (store: DraftStore, { account, id, version }: Draft) => {
  const { records, uploadRecords, transaction } = store;
  return transaction.run(
    Effect.gen(function* () {
      const isGone = yield* records.change(account, id, (known) => [isCurrentDraft(known, version), known]);
      if (Option.contains(isGone, false)) return yield* new DraftChanged();
      yield* Effect.andThen(records.remove(account, id), uploadRecords.unpin([id]));
      yield* endOfVersion(store, { account, id });
    }),
  );
};

const openOnce = Effect.fnUntraced(function* (store: DraftStore, account: AccountId, id: string) {
  const opened = yield* compareDraft(store, account, id);
  const { draft, copies: known } = opened;
  if (known === null || known._tag === "Current") return opened;
  if (known._tag === "Gone") {
    yield* forget(store, draft);
    return yield* new DraftNotFound();
  }
  const after = yield* takeOver(store, draft, known);
  const { copy, superseded } = known;
  return { draft: after, copies: { _tag: "Current" as const, copy, superseded } };
});

/** Returns the current state of a draft, including changes of other clients. */
export const openDraft = Effect.fn("openDraft")((store: DraftStore, account: AccountId, id: string) =>
  openOnce(store, account, id).pipe(
    Effect.catchTag("MessageNotFound", () => new DraftChanged()),
    // Another request or client changed the draft between two steps; a second attempt finds it unchanged.
    Effect.retry({ while: ({ _tag }) => _tag === "DraftChanged", times: 3 }),
  ),
);

/** The initial row of a draft. */
export const NEW_DRAFT = {
  version: 1,
  state: "draft",
  reason: null,
  copy: null as CopyPlace | null,
  token: "",
  pending: [],
  stale: [],
  detached: [],
  outgoing: null,
  checkAt: null,
  step: 0,
} as const;
