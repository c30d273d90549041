import { boundedAddress, boundedList, boundedSubject, boundedText, truncation } from "../events/mail-event.ts";
import { replyStatus, replyText } from "./attempt-failure.ts";
import type { TrackedMessage } from "./opens.ts";
import type { OutgoingMessage } from "./OutgoingMessage.ts";
import type { OutgoingNews } from "./outgoing-transitions.ts";

type EventData = Readonly<Record<string, unknown>>;

/** The `data` of an event about a message on its way (decisions 7), every field bounded. */
export const newsData = (message: OutgoingMessage, news: OutgoingNews): EventData => {
  const { messageId } = message;
  switch (news.type) {
    case "email.sent":
      return {
        messageId,
        from: boundedAddress(message.from),
        to: boundedList(message.to),
        toCount: message.to.length,
        cc: boundedList(message.cc),
        ccCount: message.cc.length,
        subject: boundedSubject(message.subject),
        ...truncation(message.to, message.cc),
      };
    case "email.bounced":
      return {
        messageId,
        recipient: boundedAddress(news.recipient),
        type: "permanent",
        status: replyStatus(news.reply),
        diagnosticCode: boundedText(`smtp; ${replyText(news.reply)}`, 998),
        reportingMta: null,
        source: "smtp",
        subject: boundedSubject(message.subject),
      };
    case "email.failed":
      return { messageId, state: news.state, reason: news.reason };
  }
};

/** The `data` of `email.opened` (decisions 7); `now` in epoch milliseconds as ISO 8601. */
export const openData = (
  { messageId, recipient, opens }: TrackedMessage,
  open: { readonly classification: string; readonly userAgent: string; readonly openedAt: string },
): EventData => {
  const count = Object.values(opens).reduce((sum, { count }) => sum + count, 0);
  return {
    messageId,
    recipient: recipient === null ? null : boundedAddress(recipient),
    openedAt: open.openedAt,
    count,
    first: count === 1,
    userAgent: boundedText(open.userAgent, 512),
    classification: open.classification,
  };
};
