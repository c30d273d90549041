import type { Message } from "../mail/emails/message.ts";
import { forwardHead, replyHead, type Way } from "./draft/draft.ts";
import { htmlOf, quotable, quoteHtml } from "./text/rich-text.ts";

/** The longest HTML that is quoted as HTML. Longer HTML is quoted as text, because the editor would be slow. */
const MAX_QUOTED = 200_000;

/** A line below the quote, so that a click there does not put the cursor into the quote. */
const EMPTY_LINE = htmlOf("");

/** Returns the quoted part of an answer, with the formatting of the original. */
export const answerHtml = (message: Message, way: Way): string => {
  const original = originalHtml(message, way);
  return way === "forward"
    ? htmlOf(`\n${forwardHead(message).join("\n")}\n`) + original
    : htmlOf(`\n${replyHead(message)}`) + quoteHtml(original) + EMPTY_LINE;
};

const originalHtml = ({ html, text, attachments }: Message, way: Way): string => {
  if (html === null || html.length > MAX_QUOTED) return htmlOf((text ?? "").trimEnd());
  // The service attaches the pictures of a forwarded message that the new HTML shows.
  const pictures = way === "forward" ? attachments : [];
  return quotable(
    html,
    new Map(pictures.flatMap(({ url, contentId }) => (contentId === null ? [] : [[url, contentId] as const]))),
  );
};
