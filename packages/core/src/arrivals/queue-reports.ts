import { Clock, Effect } from "effect";
import { isCandidate, newParseJob, type ParseJobs } from "../bounces/index.ts";
import type { AccountId } from "../shared/index.ts";
import type { ArrivedMessage } from "../watch/index.ts";
import type { MailboxChange } from "../watch/neighbours.ts";
import { INBOX } from "./FollowedFolder.ts";

/**
 * Queues arrivals that may be reports about sent messages for parsing. Called in the transaction of the changes, so that a
 * crash loses none.
 */
export const queueReports = Effect.fnUntraced(function* (
  jobs: ParseJobs["Service"],
  account: AccountId,
  uidValidity: number,
  changes: ReadonlyArray<MailboxChange<ArrivedMessage>>,
) {
  const now = yield* Clock.currentTimeMillis;
  const candidates = changes.flatMap((change) =>
    change._tag === "Received" && isCandidate(change.message.fields) ? [change.message] : [],
  );
  if (candidates.length === 0) return;
  const place = (uid: number) => ({ path: INBOX.path, uidValidity, uid });
  yield* jobs.insert(
    candidates.map(({ uid, arrivedAt }) => newParseJob(account, place(uid), arrivedAt, now)),
    now,
  );
});
