import { Context, Effect, Layer, Result, type Stream } from "effect";
import type { MailboxAccessError } from "../mail/index.ts";
import { MessageChanges, MessageReader } from "../messages/index.ts";
import {
  DRAFT_HEADER,
  Identities,
  MAX_MESSAGE_BYTES,
  MessageComposer,
  MessageTooLarge,
  type OutgoingContents,
  UploadContents,
} from "../send/index.ts";
import { encodedSize, parseMailbox } from "../send/neighbours.ts";
import { type AccountId, Digest, type StoreUnavailable } from "../shared/index.ts";
import type { CopyPlace, Draft, DraftContents, PendingSave } from "./Draft.ts";
import { writeMark } from "./draft-mark.ts";
import { type Comparison, compare, unverified } from "./draft-state.ts";
import { DraftsFolder, type DraftsListing, type FoundCopy } from "./ports/DraftsFolder.ts";

/** A save with the copy that it stores, which is composed again whenever it is read. */
export interface ComposedSave extends PendingSave {
  readonly message: Stream.Stream<Uint8Array, StoreUnavailable>;
}

/** Writes the copies of drafts in the Drafts folder, and removes them (spec 12.1). */
export class DraftCopies extends Context.Service<
  DraftCopies,
  {
    /** Returns a draft as a message, which `compose` writes. */
    readonly written: (
      account: AccountId,
      contents: DraftContents,
    ) => Effect.Effect<OutgoingContents, MessageTooLarge | StoreUnavailable>;
    /** Composes the copy that a save will store, for its checksum. */
    readonly compose: (
      draft: Pick<Draft, "id" | "account">,
      token: string,
      message: OutgoingContents,
      savedAt: number,
    ) => Effect.Effect<ComposedSave, StoreUnavailable>;
    /** Stores a copy; after a failure it may be stored. */
    readonly store: (
      draft: Pick<Draft, "id" | "account">,
      save: ComposedSave,
    ) => Effect.Effect<CopyPlace, MailboxAccessError>;
    /** Compares found copies with the row; reads those that another client may have made of an uncompleted save. */
    readonly compare: (
      draft: Draft,
      found: DraftsListing<FoundCopy> | null,
    ) => Effect.Effect<Comparison, MailboxAccessError>;
    /** Removes copies; those that are gone are skipped. */
    readonly remove: (
      account: AccountId,
      place: Omit<CopyPlace, "uid">,
      uids: ReadonlyArray<number>,
    ) => Effect.Effect<void, MailboxAccessError>;
  }
>()("@postern/core/drafts/DraftCopies") {
  static readonly layer = Layer.effect(
    DraftCopies,
    Effect.gen(function* () {
      const folder = yield* DraftsFolder;
      const changes = yield* MessageChanges;
      const reader = yield* MessageReader;
      const composer = yield* MessageComposer;
      const uploads = yield* UploadContents;
      const identities = yield* Identities;
      const digest = yield* Digest;

      const written = Effect.fnUntraced(function* (account: AccountId, contents: DraftContents) {
        const { to, cc, bcc, replyTo, subject, text, html, inReplyTo, references, headers, attachments } = contents;
        const sender = yield* identities.sender(account, contents.from ?? undefined).pipe(
          Effect.catchTag(["SenderNotAllowed", "SendRequestInvalid"], () => identities.sender(account, account)),
          Effect.catchTag(["SenderNotAllowed", "SendRequestInvalid"], () => Effect.die("the own address is a sender")),
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
        if (size > MAX_MESSAGE_BYTES) {
          return yield* new MessageTooLarge({
            detail: `a message may have at most ${MAX_MESSAGE_BYTES} bytes when it is encoded`,
          });
        }
        return { ...message, size };
      });

      const compose = Effect.fn("DraftCopies.compose")(function* (
        { id, account }: Pick<Draft, "id" | "account">,
        token: string,
        contents: OutgoingContents,
        savedAt: number,
      ) {
        const message = composer.compose(
          {
            ...contents,
            headers: [...contents.headers, [DRAFT_HEADER, writeMark({ draftId: id, token })]],
            messageId: `<${token}@${account.slice(account.lastIndexOf("@") + 1)}>`,
            date: savedAt,
            showBcc: true,
          },
          ({ uploadId }) => uploads.read(uploadId),
        );
        return { token, checksum: yield* digest.sha256(message), message };
      });

      const store = Effect.fn("DraftCopies.store")(
        ({ id, account }: Pick<Draft, "id" | "account">, { token, message }: ComposedSave) =>
          folder.append(account, { draftId: id, token }, message),
      );

      const compared = Effect.fn("DraftCopies.compare")(function* (
        draft: Draft,
        found: DraftsListing<FoundCopy> | null,
      ) {
        const unread = unverified(draft, found);
        if (found === null || unread.length === 0) return compare(draft, found, new Map());
        const { path, uidValidity } = found;
        const checksums = new Map<number, string | null>();
        for (const uid of unread) {
          const read = Effect.flatMap(reader.bytes(draft.account, { path, uidValidity, uid }, "raw"), digest.sha256);
          checksums.set(uid, yield* Effect.catchTag(read, "MessageNotFound", () => Effect.succeed(null)));
        }
        // A save that was refused has removed its copy meanwhile.
        const copies = found.copies.filter(({ uid }) => checksums.get(uid) !== null);
        return compare(draft, { ...found, copies }, checksums);
      });

      const remove = Effect.fn("DraftCopies.remove")(function* (
        account: AccountId,
        { path, uidValidity }: Omit<CopyPlace, "uid">,
        uids: ReadonlyArray<number>,
      ) {
        if (uids.length === 0) return;
        yield* Effect.catchTag(
          Effect.asVoid(changes.destroy(account, { path, uidValidity }, uids)),
          "MessageNotFound",
          () => Effect.void,
        );
      });

      return DraftCopies.of({ written, compose, store, compare: compared, remove });
    }),
  );
}

/** The entries that a header field can have. */
const complete = (addresses: DraftContents["to"]): DraftContents["to"] =>
  addresses.flatMap((address) =>
    Result.getOrElse(
      Result.map(parseMailbox(address), (one) => [one]),
      () => [],
    ),
  );
