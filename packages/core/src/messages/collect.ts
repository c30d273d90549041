import { Effect } from "effect";
import type { MailServerError, MessageSummary } from "../mail/index.ts";
import { rangeUpTo } from "./page.ts";
import type { MailboxView } from "./ports/MailboxReader.ts";

export interface Collected {
  /** Newest first. */
  readonly messages: ReadonlyArray<MessageSummary>;
  /** At or above the position of the last message: all older messages are below it. 1 if no older message is left. */
  readonly position: number;
}

/**
 * Returns the newest `limit` messages of a view that are below `belowUid`. All of them must be at or below `position`.
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
      // Positions of removed messages are empty, so the oldest message present is at or below this position.
      reached = last - present.length + 1;
      last =
        present.length > 0 && wanted.length === 0
          ? Math.min(range.first - 1, yield* view.positionBelow(belowUid))
          : range.first - 1;
    }
    return { messages, position: last < 1 ? 1 : reached };
  });
