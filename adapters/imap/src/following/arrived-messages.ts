import type { HeaderField, MailServerError } from "@postern/core/mail";
import type { ArrivedMessage } from "@postern/core/watch";
import { ARRIVAL_FIELDS } from "@postern/core/arrivals";
import { Effect } from "effect";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { fetchInParts } from "../reading/fetch-in-parts.ts";
import { decodeWords } from "../rows/decode-words.ts";
import { flagsOf, messageSummary } from "../reading/message-summary.ts";
import { messageIdOf } from "./seen-messages.ts";
import { uidSet } from "../wire/uid-set.ts";

/** Maximum number of messages in one FETCH. */
const AT_ONCE = 500;

const BARE = { uid: true, flags: true, labels: true, internalDate: true, size: true };
const WHOLE = { ...BARE, headers: [...ARRIVAL_FIELDS], envelope: true, bodyStructure: true };

/** Returns the messages that still exist in the open mailbox, including messages whose description cannot be read or is refused. */
export const arrivedMessages = Effect.fnUntraced(function* (
  client: ImapFlow,
  uids: ReadonlyArray<number>,
  timeout: number,
): Effect.fn.Return<ReadonlyArray<ArrivedMessage>, MailServerError> {
  const found: Array<ArrivedMessage> = [];
  for (let at = 0; at < uids.length; at += AT_ONCE) {
    const some = uids.slice(at, at + AT_ONCE);
    const fetch = (query: typeof BARE) => (part: ReadonlyArray<number>) => fetchRows(client, part, query, timeout);
    const rows = yield* fetchInParts(some, fetch(WHOLE), fetch(BARE));
    const read = new Map(rows.flatMap((row) => (row.size ? [[row.uid, arrivedMessageOf(row)]] : [])));
    // imapflow skips rows it cannot read, and Dovecot answers for an expunged message with a size of 0.
    const missing = some.filter((uid) => !read.has(uid));
    if (missing.length > 0) {
      yield* command(client, "noop", timeout, () => client.noop());
      for (const row of yield* fetch(BARE)(missing)) {
        if (row.internalDate !== undefined && row.size !== undefined) read.set(row.uid, arrivedMessageOf(row));
      }
    }
    found.push(...some.flatMap((uid) => read.get(uid) ?? []));
  }
  return found;
});

const fetchRows = (client: ImapFlow, uids: ReadonlyArray<number>, query: typeof BARE, timeout: number) =>
  Effect.map(
    command(client, "fetch", timeout, () => client.fetchAll(uidSet(uids), query, { uid: true })),
    (rows) => rows.filter(({ uid }) => uid > 0),
  );

const arrivedMessageOf = (row: FetchMessageObject): ArrivedMessage => {
  const { uid, emailId, size = 0, internalDate } = row;
  const { unread, flagged, answered, labels } = flagsOf(row);
  const summary = messageSummary(row) ?? null;
  const at = new Date(internalDate ?? 0).getTime();
  return {
    uid,
    emailId: emailId ?? null,
    messageId: messageIdOf(summary?.messageId),
    size,
    arrivedAt: summary?.arrivedAt ?? (Number.isNaN(at) ? 0 : at),
    unread,
    flagged,
    answered,
    labels,
    fields: fieldsOf(row.headers),
    summary: row.envelope === undefined ? null : summary,
  };
};

const FIELD = /^([\x21-\x39\x3b-\x7e]{1,100})[ \t]*:([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)/gm;

const MAX_FIELD_CHARS = 2_000;

const fieldsOf = (header: Buffer | undefined): ReadonlyArray<HeaderField> =>
  [...(header?.toString("utf8") ?? "").slice(0, 16_384).matchAll(FIELD)].map(([, name, value]) => [
    name!,
    decodeWords(value!.replaceAll(/\r?\n/g, "").trim().slice(0, MAX_FIELD_CHARS)),
  ]);
