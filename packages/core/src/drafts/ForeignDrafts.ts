import { Context, Effect, Layer, Option, Result } from "effect";
import { Folders } from "../folders/index.ts";
import { addressKey, leavesOf, type MailboxAccessError } from "../mail/index.ts";
import { headersOf } from "../mail/neighbours.ts";
import { MessageLocator, MessageNotFound, type MessagePlace, MessageReader, Messages } from "../messages/index.ts";
import { CarriedFiles, parseMailboxes } from "../send/neighbours.ts";
import { MAX_ATTACHMENTS, type MessageTooLarge } from "../send/index.ts";
import { type AccountId, OpaqueIds } from "../shared/index.ts";
import type { CopyPlace, DraftContents } from "./Draft.ts";

type ReadError = MailboxAccessError | MessageNotFound | MessageTooLarge;

/** Reads what another client wrote into the Drafts folder (spec 12.1). */
export class ForeignDrafts extends Context.Service<
  ForeignDrafts,
  {
    /** Returns the ids of messages in a mailbox. */
    readonly idsOf: (
      account: AccountId,
      mailbox: Omit<CopyPlace, "uid">,
      uids: ReadonlyArray<number>,
    ) => Effect.Effect<ReadonlyArray<string>, MailboxAccessError>;
    /** Finds a message of the Drafts folder by its id; `MessageNotFound` also for one in another folder. */
    readonly find: (account: AccountId, id: string) => Effect.Effect<CopyPlace, MailboxAccessError | MessageNotFound>;
    /** Reads a message as a draft; its files become uploads, which the caller pins. */
    readonly read: (account: AccountId, place: CopyPlace) => Effect.Effect<DraftContents, ReadError>;
  }
>()("@postern/core/drafts/ForeignDrafts") {
  static readonly layer = Layer.effect(
    ForeignDrafts,
    Effect.gen(function* () {
      const folders = yield* Folders;
      const locator = yield* MessageLocator;
      const messages = yield* Messages;
      const reader = yield* MessageReader;
      const files = yield* CarriedFiles;
      const ids = yield* OpaqueIds;

      const idsOf = Effect.fnUntraced(function* (
        account: AccountId,
        { path, uidValidity }: Omit<CopyPlace, "uid">,
        uids: ReadonlyArray<number>,
      ) {
        if (uids.length === 0) return [];
        const known = Option.getOrUndefined(yield* folders.findStored(account, path));
        const folder =
          known?.uidValidity === uidValidity
            ? known
            : (yield* folders.list(account)).find((listed) => listed.path === path);
        return folder === undefined ? [] : ids.messageIds(account, folder.id, uidValidity, uids);
      });

      const find = Effect.fnUntraced(function* (account: AccountId, id: string) {
        const drafts = (yield* folders.list(account)).find(({ role }) => role === "drafts");
        const inDrafts = (place: MessagePlace) =>
          place.path === drafts?.path
            ? Effect.asVoid(Effect.scoped(reader.open(account, place)))
            : new MessageNotFound();
        return yield* locator.at(account, id, ({ place }) => Effect.as(inDrafts(place), place));
      });

      const read = Effect.fn("ForeignDrafts.read")(function* (account: AccountId, place: CopyPlace) {
        const [id] = yield* idsOf(account, place, [place.uid]);
        if (id === undefined) return yield* new MessageNotFound();
        const { summary, parsed, attachments, inReplyTo, references } = yield* messages.read(account, id);
        const { headers, text, html } = Result.getOrElse(parsed, () => ({ headers: [], text: "", html: null }));
        const { structure } = yield* Effect.scoped(reader.open(account, place));
        const listed = new Set(attachments.map((attachment) => attachment.id));
        const parts = structure === null ? [] : leavesOf(structure).filter(({ section }) => listed.has(section));
        const named = (field: string) =>
          Result.getOrElse(parseMailboxes(headersOf(headers, field).join(", ")), () => []);
        const { from } = summary;
        return {
          from: from === null || addressKey(from.address) === addressKey(account) ? null : from,
          to: summary.to,
          cc: summary.cc,
          bcc: named("Bcc"),
          replyTo: named("Reply-To"),
          subject: summary.subject.replaceAll(/\p{Cc}+/gu, " "),
          text,
          html,
          inReplyTo,
          references,
          headers: [],
          attachments: yield* files.carry(account, place, parts, MAX_ATTACHMENTS),
          trackOpens: false,
          sendAt: null,
          replyToMessageId: null,
        } satisfies DraftContents;
      });

      return ForeignDrafts.of({ idsOf, find, read });
    }),
  );
}
