import { Effect } from "effect";
import type { MessageSummary } from "../mail/index.ts";
import type { MailboxView, MessageFlags } from "./ports/MailboxReader.ts";

/**
 * Returns a view that fetches only the flags of known messages, and the whole summary of all others. This works because
 * only the flags of a message with a given UID can change. `known` must have the UIDVALIDITY of the view.
 */
export const withKnownMessages = (view: MailboxView, known: ReadonlyMap<number, MessageSummary>): MailboxView => {
  if (known.size === 0) return view;
  const messages: MailboxView["messages"] = Effect.fnUntraced(function* (first, last) {
    const present = yield* view.flags(first, last);
    const unknown = present.map(({ uid }) => uid).filter((uid) => !known.has(uid));
    const added = new Map((yield* view.byUid(unknown)).map((message) => [message.uid, message]));
    return present.flatMap((flags) => {
      const message = known.get(flags.uid);
      // Flags that were fetched with a new message are newer.
      return message === undefined ? (added.get(flags.uid) ?? []) : withFlags(message, flags);
    });
  });
  return { ...view, messages };
};

const withFlags = (message: MessageSummary, flags: MessageFlags): MessageSummary => {
  const { unread, flagged, answered, draft, labels } = flags;
  const isSame =
    message.unread === unread &&
    message.flagged === flagged &&
    message.answered === answered &&
    message.draft === draft &&
    message.labels.join("\n") === labels.join("\n");
  return isSame ? message : { ...message, unread, flagged, answered, draft, labels };
};
