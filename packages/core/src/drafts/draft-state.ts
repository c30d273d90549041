import { Duration } from "effect";
import type { JournalEntry } from "../send/index.ts";
import { replyText, stateOf } from "../send/index.ts";
import { RETRY_LADDER } from "../shared/index.ts";
import type { CopyPlace, Draft, DraftContents, DraftReason, PendingSave } from "./Draft.ts";
import type { DraftsListing, FoundCopy } from "./ports/DraftsFolder.ts";

/** The fields of a draft that each save sets. */
interface Saved {
  readonly version: number;
  readonly contents: DraftContents;
  readonly savedAt: number;
}

/** The result of comparing a draft's copies with its row. */
export type Comparison =
  /** The current copy exists; the `superseded` copies may be removed. */
  | { readonly _tag: "Current"; readonly copy: CopyPlace; readonly superseded: ReadonlyArray<number> }
  /** Another client stored this copy after reading the draft, or removed the current copy. */
  | {
      readonly _tag: "Changed";
      readonly copy: CopyPlace;
      readonly token: string;
      readonly superseded: ReadonlyArray<number>;
      readonly detached: ReadonlyArray<number>;
    }
  /** No copy is left. */
  | { readonly _tag: "Gone" };

/** Returns whether a message of the Drafts folder is a copy of this draft, and not a separate draft. */
export const isCopyOf = (draft: Draft, uidValidity: number, { uid, mark }: FoundCopy): boolean => {
  const isSameMailbox = draft.copy?.uidValidity === uidValidity;
  if (isSameMailbox && draft.detached.includes(uid)) return false;
  return mark?.draftId === draft.id || (isSameMailbox && uid === draft.copy?.uid);
};

/** Returns the UIDs of copies with the token of an uncompleted save; `compare` needs their checksums. */
export const findUnverified = (
  draft: Draft,
  { uidValidity, copies }: DraftsListing<FoundCopy>,
): ReadonlyArray<number> => {
  const known = draft.copy?.uidValidity === uidValidity ? [draft.copy.uid, ...draft.stale] : [];
  return copies
    .filter((copy) => isCopyOf(draft, uidValidity, copy) && !known.includes(copy.uid))
    .filter(({ mark }) => draft.pending.some(({ token }) => token === mark?.token))
    .map(({ uid }) => uid);
};

/**
 * Compares the copies found in the Drafts folder with the row. Postern's copy of an uncompleted save is superseded,
 * unless it is the first copy. If its checksum differs, another client changed it.
 */
export const compare = (
  draft: Draft,
  found: DraftsListing<FoundCopy>,
  checksums: ReadonlyMap<number, string | null>,
): Comparison => {
  const { path, uidValidity } = found;
  const placeOf = (uid: number): CopyPlace => ({ path, uidValidity, uid });
  const isSameMailbox = draft.copy !== null && draft.copy.uidValidity === uidValidity;
  const copies = found.copies.filter((copy) => isCopyOf(draft, uidValidity, copy));
  const isStale = ({ uid }: FoundCopy) => isSameMailbox && draft.stale.includes(uid);
  const isPending = ({ uid, mark }: FoundCopy) =>
    draft.pending.some(({ token, checksum }) => mark?.token === token && checksums.get(uid) === checksum);
  const isCurrent = ({ uid, mark }: FoundCopy) => {
    if (isSameMailbox) return uid === draft.copy?.uid;
    // The first save was not completed, or the folder was recreated with its messages.
    if (mark === null || mark.token === "" || mark.token !== draft.token) return false;
    return draft.copy !== null || isPending({ uid, mark });
  };
  const current = copies.findLast(isCurrent);
  const findSuperseded = (except: number) =>
    copies
      .filter((copy) => copy.uid !== except && (isCurrent(copy) || isStale(copy) || isPending(copy)))
      .map(({ uid }) => uid);
  const foreign = copies.findLast((copy) => !isCurrent(copy) && !isStale(copy) && !isPending(copy));
  if (foreign !== undefined) {
    // Another client's version based on an older one lacks the current changes, so the current version stays as a separate draft.
    const isBasedOnCurrent = current === undefined || foreign.mark?.token === draft.token;
    return {
      _tag: "Changed",
      copy: placeOf(foreign.uid),
      token: foreign.mark?.token ?? "",
      superseded: findSuperseded(isBasedOnCurrent ? foreign.uid : current.uid),
      detached: isBasedOnCurrent ? [] : [current.uid],
    };
  }
  if (current !== undefined) {
    return { _tag: "Current", copy: placeOf(current.uid), superseded: findSuperseded(current.uid) };
  }
  const unfinished = copies.findLast(isPending);
  if (unfinished === undefined) return { _tag: "Gone" };
  return {
    _tag: "Changed",
    copy: placeOf(unfinished.uid),
    token: unfinished.mark?.token ?? "",
    superseded: findSuperseded(unfinished.uid),
    detached: [],
  };
};

/** Returns whether a client names this version; a client that names no version accepts any. */
export const isWanted = (wanted: string | undefined, version: number): boolean =>
  wanted === undefined || Number(wanted) === version;

/** Returns whether a client's version of the draft is current and may still be changed. */
export const isCurrentDraft = ({ state, version }: Draft, known: number): boolean =>
  state === "draft" && version === known;

/** The maximum number of uncompleted saves in a row, which are kept to recognise their copies. */
const MAX_PENDING = 20;

/** Records that a save is about to store a copy; unchanged if the row is another version. */
export const begin = (draft: Draft, known: number, save: PendingSave): readonly [boolean, Draft] =>
  isCurrentDraft(draft, known)
    ? [true, { ...draft, pending: [...draft.pending, save].slice(-MAX_PENDING) }]
    : [false, draft];

/** Returns the uncompleted saves of a draft, without the save that has this token. */
export const removePending = ({ pending }: Draft, ended: PendingSave["token"]): ReadonlyArray<PendingSave> =>
  pending.filter(({ token }) => token !== ended);

/** Returns the copies that a change of a row supersedes, and the copies of saves that were refused since the comparison. */
const staleAfter = (draft: Draft, compared: Draft, superseded: ReadonlyArray<number>): ReadonlyArray<number> => [
  ...superseded,
  ...draft.stale.filter((uid) => !compared.stale.includes(uid)),
];

/** Completes a save of the compared version; unchanged if another save completed first. */
export const complete = (
  draft: Draft,
  compared: Draft,
  saved: Saved,
  copy: CopyPlace,
  token: string,
  superseded: ReadonlyArray<number>,
): readonly [boolean, Draft] => {
  if (!isCurrentDraft(draft, saved.version - 1)) return [false, draft];
  const [pending, stale] = [removePending(draft, token), staleAfter(draft, compared, superseded)];
  return [true, { ...draft, ...saved, reason: null, copy, token, pending, stale }];
};

/**
 * Ends a save that could not be completed; true if its copy must be removed. Until the removal the draft keeps the
 * copy's UID, so that the copy is not mistaken for a draft of another client.
 */
export const refuse = (draft: Draft, copy: CopyPlace, token: string): readonly [boolean, Draft] => {
  if (draft.copy?.uidValidity !== copy.uidValidity) return [true, draft];
  // The copy was adopted as another client's version, because the server had changed the stored bytes.
  if (draft.copy.uid === copy.uid || draft.detached.includes(copy.uid)) return [false, draft];
  return [true, { ...draft, pending: removePending(draft, token), stale: [...draft.stale, copy.uid] }];
};

/** Adopts the version that another client stored; unchanged if the row has changed since the comparison. */
export const absorb = (
  draft: Draft,
  compared: Draft,
  saved: Saved,
  changed: Extract<Comparison, { readonly _tag: "Changed" }>,
): readonly [boolean, Draft] => {
  const isPending = ({ pending }: Draft) => pending.some((save) => save.token === changed.token);
  const isOwnSave = isPending(draft) && !isPending(compared);
  if (isOwnSave || !isCurrentDraft(draft, compared.version)) return [false, draft];
  const { copy, token, superseded } = changed;
  const [stale, detached] = [staleAfter(draft, compared, superseded), [...draft.detached, ...changed.detached]];
  return [true, { ...draft, ...saved, reason: null, copy, token, stale, detached }];
};

/**
 * Returns the outgoing message whose receipt answers a request to send. The draft is being sent or was sent as this
 * message, or this version of the draft may have been sent as it.
 */
export const outgoingOf = ({ state, version, outgoing }: Draft): Draft["outgoing"] =>
  outgoing !== null && (state !== "draft" || (outgoing.mayBeSent && outgoing.version === version)) ? outgoing : null;

/** Hands the draft to an outgoing message; unchanged if its version differs, or if it is or may have been sent. */
export const handOver = (draft: Draft, known: number, outgoingId: string, checkAt: number): readonly [boolean, Draft] =>
  isCurrentDraft(draft, known) && outgoingOf(draft) === null
    ? [
        true,
        {
          ...draft,
          state: "sending",
          reason: null,
          outgoing: { id: outgoingId, version: known, mayBeSent: false },
          checkAt,
          step: 0,
        },
      ]
    : [false, draft];

/** The outcome of a message is checked a second after its due time, and every hour before: the message may be cancelled. */
const CHECK_DELAY_MILLIS = Duration.toMillis("1 second");
const WAITING_CHECK_MILLIS = Duration.toMillis("1 hour");
/** How often the outcome of a held message is checked. A hold lasts up to 30 days. */
const HELD_CHECK_MILLIS = Duration.toMillis("1 minute");

/** Returns when to check the outcome of a message that is due at `dueAt`. */
export const checkTime = (dueAt: number, now: number): number =>
  Math.min(Math.max(dueAt, now) + CHECK_DELAY_MILLIS, now + WAITING_CHECK_MILLIS);

/** Returns the draft after a check of its outgoing message; `null` means that the journal no longer has the message. */
export const follow = (draft: Draft, entry: JournalEntry | null, now: number): Draft => {
  if (draft.state !== "sending" || draft.outgoing === null) return draft;
  if (entry === null) return markSent(draft, now);
  const { message, leased } = entry;
  const state = stateOf(message, leased);
  const back = (reason: DraftReason | null): Draft => ({ ...draft, state: "draft", reason, checkAt: null });
  switch (state) {
    case "sent":
      return markSent(draft, now);
    case "cancelled":
      return back(null);
    case "failed":
      return back(message.failure ?? { reason: "recipient_refused", detail: repliesOf(entry) });
    case "unknown":
      return {
        ...back({
          reason: "send_outcome_unknown",
          detail: message.failure?.detail ?? "the message may have been sent",
        }),
        outgoing: { ...draft.outgoing, mayBeSent: true },
      };
    case "held":
      return { ...draft, checkAt: now + HELD_CHECK_MILLIS };
    default:
      return { ...draft, checkAt: checkTime(message.attemptAt ?? 0, now) };
  }
};

const markSent = (draft: Draft, now: number): Draft => ({
  ...draft,
  state: "sent",
  savedAt: now,
  // Only a change of `checkAt` ends the lease, and a worker may follow the message at exactly the due time.
  checkAt: draft.checkAt === now ? now + 1 : now,
  step: 0,
});

const repliesOf = ({ message: { recipients } }: JournalEntry): string =>
  recipients.flatMap(({ reply }) => (reply === null ? [] : [replyText(reply)])).join("; ");

/** Returns the sent draft after an attempt to remove its copies. A failed attempt is repeated after increasing waits, then given up. */
export const afterRemoval = (draft: Draft, isDone: boolean, now: number): Draft => {
  if (isDone) return { ...draft, copy: null, stale: [], pending: [], checkAt: null };
  const wait = RETRY_LADDER[draft.step];
  return wait === undefined
    ? { ...draft, copy: null, checkAt: null }
    : { ...draft, step: draft.step + 1, checkAt: now + wait };
};
