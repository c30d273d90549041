import type { ArrivedMessage } from "./ArrivedMessage.ts";
import { matchFingerprints } from "./match-fingerprints.ts";
import type { LeftMessage } from "./ports/FollowedMailboxes.ts";
import type { MailboxChange } from "./sync-mailbox.ts";

type Changes = ReadonlyArray<MailboxChange<ArrivedMessage>>;

/**
 * Marks arrivals that were in the mailbox before and left it (spec 7). Each departure matches at most one arrival;
 * `ids` are the departures that matched. A message without Message-ID and EMAILID must also have an equal INTERNALDATE,
 * because its size alone says little.
 */
export const matchReturned = (
  changes: Changes,
  left: ReadonlyArray<LeftMessage>,
): { readonly changes: Changes; readonly ids: ReadonlyArray<string> } => {
  const dates = new Set(left.map(({ arrivedAt }) => arrivedAt));
  const candidates = changes.flatMap(({ _tag, message }) =>
    _tag === "Received" && (message.messageId !== null || message.emailId !== null || dates.has(message.arrivedAt))
      ? [message]
      : [],
  );
  const { unseen, missing } = matchFingerprints(candidates, left);
  const isNew = new Set(unseen.map(({ uid }) => uid));
  const returned = new Set(candidates.flatMap(({ uid }) => (isNew.has(uid) ? [] : [uid])));
  const unused = new Set(missing.map(({ id }) => id));
  return {
    changes: changes.map((change) =>
      change._tag === "Received" && returned.has(change.message.uid) ? { ...change, isReturned: true } : change,
    ),
    ids: left.flatMap(({ id }) => (unused.has(id) ? [] : [id])),
  };
};
