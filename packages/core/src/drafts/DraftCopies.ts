import { Context, Effect, Layer, Result } from "effect";
import type { MailboxAccessError } from "../mail/index.ts";
import { MessageChanges } from "../messages/index.ts";
import {
  DRAFT_HEADER,
  encodedSize,
  Identities,
  MAX_MESSAGE_BYTES,
  MessageComposer,
  MessageTooLarge,
  type OutgoingContents,
  parseMailbox,
  UploadContents,
} from "../send/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import type { CopyPlace, Draft, DraftContents } from "./Draft.ts";
import { writeMark } from "./draft-mark.ts";
import { DraftsFolder } from "./ports/DraftsFolder.ts";

/** Writes the copies of drafts in the Drafts folder, and removes them (spec 12.1). */
export class DraftCopies extends Context.Service<
  DraftCopies,
  {
    /** Returns a draft as a message, which `store` composes. */
    readonly written: (
      account: AccountId,
      contents: DraftContents,
    ) => Effect.Effect<OutgoingContents, MessageTooLarge | StoreUnavailable>;
    /** Stores a copy; after a failure it may be stored. */
    readonly store: (
      draft: Pick<Draft, "id" | "account">,
      token: string,
      message: OutgoingContents,
      savedAt: number,
    ) => Effect.Effect<CopyPlace, MailboxAccessError>;
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
      const composer = yield* MessageComposer;
      const uploads = yield* UploadContents;
      const identities = yield* Identities;

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

      const store = Effect.fn("DraftCopies.store")(function* (
        { id, account }: Pick<Draft, "id" | "account">,
        token: string,
        message: OutgoingContents,
        savedAt: number,
      ) {
        const mark = { draftId: id, token };
        const bytes = composer.compose(
          {
            ...message,
            headers: [...message.headers, [DRAFT_HEADER, writeMark(mark)]],
            messageId: `<${token}@${account.slice(account.lastIndexOf("@") + 1)}>`,
            date: savedAt,
            showBcc: true,
          },
          ({ uploadId }) => uploads.read(uploadId),
        );
        return yield* folder.append(account, mark, bytes);
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

      return DraftCopies.of({ written, store, remove });
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
