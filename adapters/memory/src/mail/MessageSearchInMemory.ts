import {
  FolderNotFound,
  FolderNotSelectable,
  MessageNotFound,
  MessageSearch,
  type SearchCriteria,
} from "@postern/core";
import { Effect, Layer } from "effect";
import { decodeWords } from "postal-mime";
import { headerFields, splitEntity } from "./header-fields.ts";
import { mimeSections, type MimeSection } from "./mime-sections.ts";
import { signedIn } from "./signed-in.ts";
import type { StoredMessage } from "./StoredMessage.ts";
import { decodedBody } from "./transfer-encodings.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Searches the mailboxes of a `MailWorld`, whose days are those of UTC. */
export const MessageSearchInMemory = Layer.effect(
  MessageSearch,
  Effect.map(signedIn, (signedIn) => ({
    find: Effect.fnUntraced(function* (id, path, criteria) {
      const named = (yield* signedIn(id)).find(path);
      if (named === undefined) return yield* new FolderNotFound();
      if (named.mailbox === null) return yield* new FolderNotSelectable();
      const found = named.mailbox.messages.filter((message) => matches(message, criteria));
      return {
        uidValidity: named.mailbox.uidValidity,
        uids: found.map(({ uid }) => uid),
        unread: found.filter(({ flags }) => !flags.has("\\Seen")).length,
      };
    }),
    summaries: Effect.fnUntraced(function* (id, { path, uidValidity }, uids) {
      const mailbox = (yield* signedIn(id)).find(path)?.mailbox;
      if (!mailbox || mailbox.uidValidity !== uidValidity) return yield* new MessageNotFound();
      const wanted = new Set(uids);
      return mailbox.messages.filter(({ uid }) => wanted.has(uid)).map(({ summary }) => summary);
    }),
  })),
);

const matches = (message: StoredMessage, criteria: SearchCriteria): boolean => {
  const { unread, flagged, since, before, larger, smaller, hasAttachments, threadId, related } = criteria;
  const is = (wanted: boolean | undefined, flag: string, set: boolean) =>
    wanted === undefined || message.flags.has(flag) === (wanted === set);
  const day = Math.floor(message.arrivedAt / DAY) * DAY;
  if (threadId !== undefined || !is(unread, "\\Seen", false) || !is(flagged, "\\Flagged", true)) return false;
  if (since !== undefined && day < Date.parse(since)) return false;
  if (before !== undefined && day >= Date.parse(before)) return false;
  if (larger !== undefined && message.raw.length <= larger) return false;
  if (smaller !== undefined && message.raw.length >= smaller) return false;
  if (hasAttachments !== undefined && message.summary.attachments.length > 0 !== hasAttachments) return false;
  const { header, body } = splitEntity(Buffer.from(message.raw).toString("latin1"));
  const fields = headerFields(header);
  const has = (name: string, wanted: string | undefined) =>
    wanted === undefined || contains(decodeWords(fields.get(name) ?? ""), wanted);
  if (!has("from", criteria.from) || !has("to", criteria.to) || !has("subject", criteria.subject)) return false;
  const names = ["message-id", "references", "in-reply-to"];
  if (related !== undefined && !related.some((one) => names.some((name) => has(name, one)))) return false;
  const { text } = criteria;
  return (
    text === undefined ||
    [...fields.values()].some((value) => contains(decodeWords(value), text)) ||
    mimeSections({ fields, body }).some((section) => contains(textOf(section), text))
  );
};

const contains = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted.toLowerCase());

const textOf = ({ type, fields, body }: MimeSection): string => {
  if (!type.value.startsWith("text/")) return "";
  const bytes = decodedBody(body, fields.get("content-transfer-encoding") ?? "7bit");
  try {
    return new TextDecoder(type.parameters.get("charset") ?? "utf-8").decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
};
