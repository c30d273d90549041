import { Duration, Effect } from "effect";
import type { Account } from "../accounts/index.ts";
import { EventPublisher } from "../events/index.ts";
import { OutgoingJournal } from "../send/index.ts";
import { resume as resumed } from "../send/neighbours.ts";
import type { AccountId } from "../shared/index.ts";
import { AccountWatches } from "../watch/index.ts";
import { WATCHED_FOR } from "../watch/neighbours.ts";

/** The ports that resume the work of an account. */
export const resumePorts = Effect.all({ journal: OutgoingJournal, watches: AccountWatches, publisher: EventPublisher });
type ResumePorts = Effect.Success<typeof resumePorts>;

/** Resumes the waiting mail of an account whose credential is accepted again, then publishes the recovery. */
export const recover = Effect.fnUntraced(function* (
  { journal, publisher }: ResumePorts,
  account: Account,
  now: number,
) {
  yield* journal.changeWaiting({ account: account.id }, (message) => resumed(message, now));
  if (account.refusedAt !== null) yield* publisher.publishNow(account.id, "account.recovered", { email: account.id });
});

/** Sends waiting messages, and starts a short watch, which announces arrivals since the pause. */
export const resume = Effect.fnUntraced(function* ({ journal, watches }: ResumePorts, id: AccountId, now: number) {
  yield* journal.changeWaiting({ account: id }, (message) => resumed(message, now));
  yield* watches.add(id, now + Duration.toMillis(WATCHED_FOR));
});
