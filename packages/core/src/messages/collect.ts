import { Effect } from "effect";
import type { MailServerError, MessageSummary } from "../mail/index.ts";
import { rangeUpTo } from "./page.ts";
import type { MailboxView } from "./ports/MailboxReader.ts";

export interface Collected {
  /** Newest first. */
  readonly messages: ReadonlyArray<MessageSummary>;
  /** The last message's position, or above it: everything older lies below. 1 where nothing older is left. */
  readonly position: number;
}

/**
 * The newest `limit` messages of a view at or below a position and below a UID, where the position is known to leave
 * out none of them.
 */
export const collect = (
  view: MailboxView,
  position: number,
  belowUid: number,
  limit: number,
): Effect.Effect<Collected, MailServerError> =>
  Effect.gen(function* () {
    const messages: Array<MessageSummary> = [];
    let last = Math.min(position, view.total);
    let reached = 1;
    while (last >= 1 && messages.length < limit) {
      const range = rangeUpTo(last, limit - messages.length);
      const present = yield* view.messages(range.first, range.last);
      const wanted = present.filter((message) => message.uid < belowUid);
      messages.push(...wanted.toReversed());
      // Removed messages leave their positions empty, so the oldest one present is at this position or below it.
      reached = last - present.length + 1;
      last =
        present.length > 0 && wanted.length === 0
          ? Math.min(range.first - 1, yield* view.positionBelow(belowUid))
          : range.first - 1;
    }
    return { messages, position: last < 1 ? 1 : reached };
  });
