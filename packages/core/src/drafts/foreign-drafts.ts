import { Effect, Option, Result } from "effect";
import { Folders } from "../folders/index.ts";
import { addressKey, leavesOf, type MailboxAccessError } from "../mail/index.ts";
import { headersOf } from "../mail/neighbours.ts";
import { MessageLocator, MessageNotFound, type MessagePlace, MessageReader, Messages } from "../messages/index.ts";
import { type MessageTooLarge, Uploads } from "../send/index.ts";
import { carryFiles, MAX_ATTACHMENTS, parseMailboxes } from "../send/neighbours.ts";
import { type AccountId, OpaqueIds } from "../shared/index.ts";
import { IdScopes } from "../shared/neighbours.ts";
import type { CopyPlace, DraftContents } from "./Draft.ts";

/** The ports and services that read the drafts of other mail clients (spec 12.1). */
export const foreignDrafts = Effect.all({
  folders: Folders,
  locator: MessageLocator,
  messages: Messages,
  reader: MessageReader,
  uploads: Uploads,
  ids: OpaqueIds,
  scopes: IdScopes,
});
export type ForeignDrafts = Effect.Success<typeof foreignDrafts>;

/** Returns the ids of messages in a mailbox. */
export const messageIdsOf = Effect.fnUntraced(function* (
  { folders, ids, scopes }: ForeignDrafts,
  account: AccountId,
  { path, uidValidity }: Omit<CopyPlace, "uid">,
  uids: ReadonlyArray<number>,
): Effect.fn.Return<ReadonlyArray<string>, MailboxAccessError> {
  if (uids.length === 0) return [];
  const known = Option.getOrUndefined(yield* folders.findStored(account, path));
  const folder =
    known?.uidValidity === uidValidity ? known : (yield* folders.list(account)).find((listed) => listed.path === path);
  return folder === undefined ? [] : ids.messageIds(yield* scopes.of(account), folder.key, uidValidity, uids);
});

/** Finds a message of the Drafts folder by its id; fails with `MessageNotFound` for a message in another folder. */
export const findForeign = Effect.fnUntraced(function* (
  { folders, locator, reader }: ForeignDrafts,
  account: AccountId,
  id: string,
): Effect.fn.Return<CopyPlace, MailboxAccessError | MessageNotFound> {
  const drafts = (yield* folders.list(account)).find(({ role }) => role === "drafts");
  const inDrafts = (place: MessagePlace) =>
    place.path === drafts?.path ? Effect.asVoid(Effect.scoped(reader.open(account, place))) : new MessageNotFound();
  return yield* locator.withMessage(account, id, ({ place }) => Effect.as(inDrafts(place), place));
});

/** Reads another client's message as a draft. Its files become uploads, which the caller pins. */
export const readForeign = Effect.fn("readForeign")(function* (
  foreign: ForeignDrafts,
  account: AccountId,
  place: CopyPlace,
): Effect.fn.Return<DraftContents, MailboxAccessError | MessageNotFound | MessageTooLarge> {
  const [id] = yield* messageIdsOf(foreign, account, place, [place.uid]);
  if (id === undefined) return yield* new MessageNotFound();
  const { summary, parsed, attachments, inReplyTo, references } = yield* Effect.catchTag(
    foreign.messages.read(account, id),
    "InputInvalid",
    Effect.die,
  );
  const { headers, text, html } = Result.getOrElse(parsed, () => ({ headers: [], text: "", html: null }));
  const { structure } = yield* Effect.scoped(foreign.reader.open(account, place));
  const listed = new Set(attachments.map((attachment) => attachment.id));
  const parts = structure === null ? [] : leavesOf(structure).filter(({ section }) => listed.has(section));
  const readAddresses = (field: string) =>
    Result.getOrElse(parseMailboxes(headersOf(headers, field).join(", ")), () => []);
  const { from } = summary;
  return {
    from: from === null || addressKey(from.address) === addressKey(account) ? null : from,
    to: summary.to,
    cc: summary.cc,
    bcc: readAddresses("Bcc"),
    replyTo: readAddresses("Reply-To"),
    subject: summary.subject.replaceAll(/\p{Cc}+/gu, " "),
    text,
    html,
    inReplyTo,
    references,
    headers: [],
    attachments: yield* carryFiles(foreign, account, place, parts, MAX_ATTACHMENTS),
    trackOpens: false,
    sendAt: null,
    replyToMessageId: null,
  } satisfies DraftContents;
});
