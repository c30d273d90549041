import { type MessageSummary } from "@postern/core/mail";
import type { MailboxPlace } from "@postern/core/messages";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { readFetchRow } from "../rows/fetch-row.ts";
import { isFetchRow } from "../rows/is-fetch-row.ts";
import type { MailboxRequest } from "./ask-each-mailbox.ts";
import type { MessageStructures } from "../session/MessageStructures.ts";
import { serverAccountOf } from "../session/server-account.ts";
import { uidSet } from "../wire/uid-set.ts";
import { arrivalLines } from "../reading/arrivals.ts";
import { emailIdLines } from "../reading/email-ids.ts";
import { messageSummary } from "../reading/message-summary.ts";
import { summaryItems } from "../reading/summary-items.ts";

/** The UIDs of messages in one mailbox. */
export interface MailboxUids extends MailboxPlace {
  readonly uids: ReadonlyArray<number>;
}

/** Returns a FETCH of messages. Its answer is undefined if the row of any message is missing or unreadable. */
export const rowsRequest = <A>(
  mailbox: MailboxUids,
  lines: ReadonlyArray<string>,
  isWhole: (row: FetchMessageObject) => boolean,
  read: (rows: ReadonlyMap<number, FetchMessageObject>) => A,
): MailboxRequest<A> => {
  const rows = new Map<number, FetchMessageObject>();
  return {
    path: mailbox.path,
    lines,
    take: (payload, literals) => {
      const row = isFetchRow(payload) ? readFetchRow(payload, literals) : undefined;
      if (row !== undefined && row.uid && isWhole(row)) rows.set(row.uid, row);
    },
    answer: ({ uidValidity }) => {
      if (uidValidity !== mailbox.uidValidity) return read(new Map());
      return mailbox.uids.every((uid) => rows.has(uid)) ? read(rows) : undefined;
    },
  };
};

/** Returns a FETCH of the messages' EMAILID or X-GM-MSGID. */
export const emailIdRequest = (client: ImapFlow, mailbox: MailboxUids): MailboxRequest<ReadonlyMap<number, string>> =>
  rowsRequest(
    mailbox,
    emailIdLines(client, mailbox.uids),
    ({ emailId }) => emailId !== undefined,
    (rows) => new Map([...rows].map(([uid, { emailId }]) => [uid, emailId!])),
  );

/** Returns a FETCH of the messages' arrivals. */
export const arrivalRequest = (_: ImapFlow, mailbox: MailboxUids): MailboxRequest<ReadonlyMap<number, number>> =>
  rowsRequest(
    mailbox,
    arrivalLines(mailbox.uids),
    ({ internalDate }) => internalDate !== undefined,
    (rows) => new Map([...rows].map(([uid, { internalDate }]) => [uid, new Date(internalDate!).getTime()])),
  );

/** Returns a FETCH of summaries; stores the body structures in `structures`. */
export const summaryRequest = (
  client: ImapFlow,
  mailbox: MailboxUids,
  structures: MessageStructures["Service"],
): MailboxRequest<ReadonlyArray<MessageSummary>> => {
  const owner = serverAccountOf(client);
  const set = uidSet(mailbox.uids);
  return rowsRequest(
    mailbox,
    [`UID FETCH ${set} (${summaryItems(client)})`],
    ({ size, envelope }) => Boolean(size) && envelope !== undefined,
    (rows) => {
      for (const { uid, bodyStructure } of rows.values()) {
        if (bodyStructure !== undefined) structures.keep(owner, { ...mailbox, uid }, bodyStructure);
      }
      const wanted = [...rows.values()].filter(({ uid }) => mailbox.uids.includes(uid));
      return wanted
        .toSorted((one, other) => one.seq - other.seq)
        .map(messageSummary)
        .filter((summary) => summary !== undefined);
    },
  );
};
