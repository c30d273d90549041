import { Effect, Result, type Stream } from "effect";
import type { MailboxAccessError } from "../mail/index.ts";
import { MessageChanges, MessageReader } from "../messages/index.ts";
import {
  DRAFT_HEADER,
  Identities,
  MessageComposer,
  type MessageTooLarge,
  type OutgoingContents,
  UploadContents,
} from "../send/index.ts";
import { checkSize, encodedSize, parseMailbox } from "../send/neighbours.ts";
import { type AccountId, Digest, type StoreUnavailable } from "../shared/index.ts";
import type { CopyPlace, Draft, DraftContents, PendingSave } from "./Draft.ts";
import { writeMark } from "./draft-mark.ts";
import { type Comparison, compare, findUnverified } from "./draft-state.ts";
import { DraftsFolder, type DraftsListing, type FoundCopy } from "./ports/DraftsFolder.ts";

/** A save with the copy that it stores. Each read of the copy composes the copy again. */
export interface ComposedSave extends PendingSave {
  readonly message: Stream.Stream<Uint8Array, StoreUnavailable>;
}

/** The ports and services that write, read and remove the copies of drafts (spec 12.1). */
export const draftCopies = Effect.all({
  folder: DraftsFolder,
  changes: MessageChanges,
  reader: MessageReader,
  composer: MessageComposer,
  uploadContents: UploadContents,
  identities: Identities,
  digest: Digest,
});
export type DraftCopies = Effect.Success<typeof draftCopies>;

/** Returns a draft in the form of the message for `composeCopy`. */
export const messageOf = Effect.fnUntraced(function* (
  { identities }: DraftCopies,
  account: AccountId,
  contents: DraftContents,
): Effect.fn.Return<OutgoingContents, MessageTooLarge | StoreUnavailable> {
  const { to, cc, bcc, replyTo, subject, text, html, inReplyTo, references, headers, attachments } = contents;
  const sender = yield* identities.sender(account, contents.from ?? undefined).pipe(
    Effect.catchTag(["SenderNotAllowed", "InputInvalid"], () => identities.sender(account, account)),
    Effect.catchTag(["SenderNotAllowed", "InputInvalid"], () => Effect.die("the own address is a sender")),
  );
  const message = {
    from: sender.from,
    to: complete(to),
    cc: complete(cc),
    bcc: complete(bcc),
    replyTo: complete(replyTo),
    subject,
    text: text ?? (html === null ? "" : null),
    html,
    inReplyTo,
    references,
    headers,
    attachments,
  };
  const { text: plain, html: rich, ...header } = message;
  const size = encodedSize([plain ?? "", rich ?? ""], JSON.stringify(header), attachments);
  yield* Effect.fromResult(checkSize(size));
  return { ...message, size };
});

/** Composes the copy that a save will store, for its checksum. */
export const composeCopy = Effect.fn("composeCopy")(function* (
  { composer, uploadContents, digest }: DraftCopies,
  { id, account }: Pick<Draft, "id" | "account">,
  token: string,
  contents: OutgoingContents,
  savedAt: number,
): Effect.fn.Return<ComposedSave, StoreUnavailable> {
  const message = composer.compose(
    {
      ...contents,
      headers: [...contents.headers, [DRAFT_HEADER, writeMark({ draftId: id, token })]],
      messageId: `<${token}@${account.slice(account.lastIndexOf("@") + 1)}>`,
      date: savedAt,
      showBcc: true,
    },
    ({ uploadId }) => uploadContents.read(uploadId),
  );
  return { token, checksum: yield* digest.sha256(message), message };
});

/** Stores a copy. The copy may be stored although the call failed. */
export const storeCopy = (
  { folder }: DraftCopies,
  { id, account }: Pick<Draft, "id" | "account">,
  { token, message }: ComposedSave,
): Effect.Effect<CopyPlace, MailboxAccessError> => folder.append(account, { draftId: id, token }, message);

/** Compares found copies with the row. Reads the copies of uncompleted saves, because another client may have changed them. */
export const compareCopies = Effect.fn("compareCopies")(function* (
  { reader, digest }: DraftCopies,
  draft: Draft,
  found: DraftsListing<FoundCopy> | null,
): Effect.fn.Return<Comparison, MailboxAccessError> {
  if (found === null) return { _tag: "Gone" };
  const { path, uidValidity } = found;
  const checksums = new Map<number, string | null>();
  for (const uid of findUnverified(draft, found)) {
    const read = Effect.flatMap(reader.bytes(draft.account, { path, uidValidity, uid }, "raw"), digest.sha256);
    checksums.set(uid, yield* Effect.catchTag(read, "MessageNotFound", () => Effect.succeed(null)));
  }
  // A refused save may have removed its copy meanwhile.
  const copies = found.copies.filter(({ uid }) => checksums.get(uid) !== null);
  return compare(draft, { ...found, copies }, checksums);
});

/** Removes copies; skips copies that are gone. */
export const removeCopies = Effect.fn("removeCopies")(function* (
  { changes }: DraftCopies,
  account: AccountId,
  { path, uidValidity }: Omit<CopyPlace, "uid">,
  uids: ReadonlyArray<number>,
): Effect.fn.Return<void, MailboxAccessError> {
  if (uids.length === 0) return;
  const removal = changes.destroy(account, { path, uidValidity }, uids);
  yield* Effect.catchTag(removal, "MessageNotFound", () => Effect.void);
});

/** Returns only complete addresses, because a header field cannot have other entries. */
const complete = (addresses: DraftContents["to"]): DraftContents["to"] =>
  addresses.flatMap((address) =>
    Result.match(parseMailbox(address), { onFailure: () => [], onSuccess: (one) => [one] }),
  );
