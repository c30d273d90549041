import { Clock, Effect } from "effect";
import { type ListPlace, type PageRequest, readPage } from "../../shared/neighbours.ts";
import type { JournalEntry, OutgoingFilter, OutgoingJournal } from "../ports/OutgoingJournal.ts";

/**
 * Returns whether the outbox lists a message. Notices are Postern's own messages to the owner, so they are neither
 * listed nor cancellable.
 */
export const isListed = ({ message }: JournalEntry): boolean => message.kind !== "notice";

const placeOf = ({ message }: JournalEntry): ListPlace => ({ at: message.createdAt, id: message.id });

/** Returns a page of the messages that clients sent, newest first. */
export const listOutgoing = (journal: OutgoingJournal["Service"], whose: OutgoingFilter, request: PageRequest) =>
  readPage(
    request,
    placeOf,
    Effect.fnUntraced(function* (after: ListPlace | undefined, limit: number) {
      const now = yield* Clock.currentTimeMillis;
      const found: Array<JournalEntry> = [];
      for (let place = after; ;) {
        const entries = yield* journal.list(whose, now, limit, place);
        found.push(...entries.filter(isListed));
        const last = entries.at(-1);
        if (last === undefined || entries.length < limit || found.length >= limit) return found.slice(0, limit);
        place = placeOf(last);
      }
    }),
  );
