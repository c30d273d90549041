import { MailServerError } from "@postern/core/mail";
import type { MailboxView } from "@postern/core/messages";
import { Effect } from "effect";
import type { Mailbox } from "./Mailbox.ts";

/** Returns a fixed view of a mailbox, like an IMAP session that has it selected (spec 5). */
export const mailboxView = (mailbox: Mailbox): MailboxView => {
  const { messages, session, uidValidity, unread } = mailbox;
  // Arrivals are added to the same array, after the first `total` messages.
  const total = messages.length;

  const whileSelected = <A>(operation: string, read: () => A): Effect.Effect<A, MailServerError> =>
    Effect.suspend(() =>
      mailbox.session === session
        ? Effect.sync(read)
        : Effect.fail(new MailServerError({ reason: "unreachable", operation, detail: "the mailbox was deleted" })),
    );

  return {
    uidValidity,
    total,
    unread,
    messages: (first, last) =>
      whileSelected("fetch", () =>
        messages
          .slice(Math.max(first, 1) - 1, Math.max(0, Math.min(last, total)))
          .filter((message) => mailbox.has(message))
          .map(({ summary }) => summary),
      ),
    positionBelow: (uid) =>
      whileSelected("search", () => {
        let [low, high] = [0, total];
        while (low < high) {
          const middle = (low + high) >>> 1;
          if (messages[middle]!.uid < uid) low = middle + 1;
          else high = middle;
        }
        return low;
      }),
  };
};
