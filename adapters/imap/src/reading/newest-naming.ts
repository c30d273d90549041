import type { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";

/** A Message-ID in a header field. */
const MESSAGE_ID = /<[^<>\s]+>/g;

/**
 * Returns the UIDs of those among the newest messages of the open mailbox whose Message-ID, References or In-Reply-To
 * names one of these ids: what SEARCH HEADER returns, for a server that refuses it (Yahoo).
 */
export const newestNaming = Effect.fnUntraced(function* (
  client: ImapFlow,
  ids: ReadonlyArray<string>,
  newest: number,
  timeout: number,
): Effect.fn.Return<ReadonlyArray<number>, MailServerError> {
  const exists = client.mailbox === false ? 0 : client.mailbox.exists;
  if (exists === 0) return [];
  const wanted = new Set(ids);
  const query = { uid: true, envelope: true, headers: ["References"] };
  const rows = yield* command(client, "fetch", timeout, () =>
    client.fetchAll(`${Math.max(1, exists - newest + 1)}:*`, query),
  );
  const named = rows.filter((row) => namesIn(row).some((id) => wanted.has(id)));
  return named.map(({ uid }) => uid).toSorted((one, other) => one - other);
});

const namesIn = ({ envelope, headers }: FetchMessageObject): ReadonlyArray<string> =>
  [envelope?.messageId, envelope?.inReplyTo, headers?.toString("latin1")].flatMap(
    (text) => text?.match(MESSAGE_ID) ?? [],
  );
