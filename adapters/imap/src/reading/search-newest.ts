import type { MailServerError } from "@postern/core/mail";
import type { SearchCriteria } from "@postern/core/messages";
import { Effect } from "effect";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";

/** A Message-ID in a header field. */
const MESSAGE_ID = /<[^<>\s]+>/g;

/**
 * Fetches the newest messages of the open mailbox and returns the UIDs of those that match by Message-ID or related
 * ids. Used in place of SEARCH HEADER on servers that refuse SEARCH HEADER (Yahoo).
 */
export const searchNewest = Effect.fnUntraced(function* (
  client: ImapFlow,
  { messageId, related }: SearchCriteria,
  newest: number,
  timeout: number,
): Effect.fn.Return<ReadonlyArray<number>, MailServerError> {
  const exists = client.mailbox === false ? 0 : client.mailbox.exists;
  if (exists === 0) return [];
  const query = { uid: true, envelope: true, headers: ["References"] };
  const rows = yield* command(client, "fetch", timeout, () =>
    client.fetchAll(`${Math.max(1, exists - newest + 1)}:*`, query),
  );
  const named = rows
    .filter(({ envelope }) => messageId === undefined || envelope?.messageId === messageId)
    .filter((row) => related === undefined || namesIn(row).some((id) => related.includes(id)));
  return named.map(({ uid }) => uid).toSorted((one, other) => one - other);
});

const namesIn = ({ envelope, headers }: FetchMessageObject): ReadonlyArray<string> =>
  [envelope?.messageId, envelope?.inReplyTo, headers?.toString("latin1")].flatMap(
    (text) => text?.match(MESSAGE_ID) ?? [],
  );
