import type { ReadMessage, VisibleText } from "@postern/core/messages";
import { authenticationResults, splitQuoted, type FolderEntry } from "@postern/core/messages";
import { Result } from "effect";
import { instantOf } from "../wire/instant-of.ts";
import type { Fence } from "./Fence.ts";
import { cleanText } from "./clean-text.ts";

/** The default and the largest number of characters of the text of a message in a result. */
export const DEFAULT_CHARACTERS = 24_000;
export const MAX_CHARACTERS = 131_072;

/** Returns a message of a listing. */
export const listedView = (fence: Fence, { id, message, path, preview }: FolderEntry) => ({
  id,
  threadId: message.threadId,
  folder: path,
  from: fence.address(message.from?.address ?? ""),
  name: message.from === null || message.from.name === "" ? undefined : fence.around(message.from.name),
  subject: fence.around(message.subject.slice(0, 300)),
  date: instantOf(message.arrivedAt),
  unread: message.unread,
  flagged: message.flagged,
  labels: message.labels.length === 0 ? undefined : message.labels,
  files: message.attachments.length === 0 ? undefined : message.attachments.length,
  preview: preview === null || preview === undefined ? undefined : fence.around(preview),
});

/** The part of a text that a result shows. */
export interface TextPart {
  readonly full: boolean;
  readonly from: number;
  readonly most: number;
}

/** Returns a part of a visible text between fences, and the cursor of the next part. */
export const textView = (fence: Fence, visible: VisibleText, { full, from, most }: TextPart) => {
  for (const { kind, characters } of visible.hidden) fence.report(kind, characters);
  const shown = full ? visible.text : splitQuoted(visible.text).newText;
  const clean = cleanText(shown);
  if (clean.invisible > 0 && from === 0) fence.report("invisible_characters", clean.invisible);
  let end = from;
  for (let left = most; end < clean.text.length && left > 0; end++) left -= clean.text.charCodeAt(end) < 128 ? 1 : 3;
  const nextCursor = end < clean.text.length ? String(end) : undefined;
  return {
    text: fence.between(clean.text.slice(from, end)),
    more:
      nextCursor === undefined
        ? undefined
        : `${end} of ${clean.text.length} characters are shown; pass cursor for more`,
    nextCursor,
    links:
      full && clean.addresses.length > 0
        ? clean.addresses.slice(0, 50).map((one) => fence.between(one.slice(0, 2_000)))
        : undefined,
  };
};

/** Returns a message with its text. */
export const messageView = (fence: Fence, message: ReadMessage, part: TextPart) => {
  const { summary } = message;
  const parsed = Result.getOrNull(message.parsed);
  const verdict = parsed === null ? null : authenticationResults(parsed.headers);
  return {
    ...listedView(fence, {
      id: message.id,
      folderId: message.folder.id,
      path: message.folder.path,
      message: summary,
    } as FolderEntry),
    authentication:
      verdict === null
        ? "not reported by the mail server"
        : { spf: verdict.spf ?? "none", dkim: verdict.dkim ?? "none", dmarc: verdict.dmarc ?? "none" },
    to: summary.to.slice(0, 50).map(({ address }) => fence.address(address)),
    cc: summary.cc.slice(0, 50).map(({ address }) => fence.address(address)),
    files:
      message.attachments.length === 0
        ? undefined
        : message.attachments.slice(0, 50).map(({ id, name, type, size }) => ({
            attachmentId: id,
            name: name === null ? undefined : fence.around(name.slice(0, 200)),
            type: fence.mediaType(type),
            size,
          })),
    ...(parsed?.visible ? textView(fence, parsed.visible, part) : { text: "The message could not be read." }),
    hidden: fence.hidden.length === 0 ? undefined : fence.hidden,
  };
};
