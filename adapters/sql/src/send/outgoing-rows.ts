import { addressKey } from "@postern/core/bounces";
import type { JournalEntry, OutgoingMessage } from "@postern/core/send";
import type { OutgoingRecipientRow, OutgoingRow } from "./tables.ts";

/** Returns the message of a row. Only the journal writes rows, so the JSON is a message. */
export const messageOf = ({ record }: Pick<OutgoingRow, "record">): OutgoingMessage =>
  JSON.parse(record) as OutgoingMessage;

/** Returns the message of a row, and whether some process works on it at `now`. */
export const entryOf = (row: OutgoingRow, now: number): JournalEntry => ({
  message: messageOf(row),
  leased: row.lease_token !== null && row.due_at !== null && row.due_at > now,
});

/** Returns a row for each recipient of a message; two spellings of an address are one recipient. */
export const recipientRows = ({
  id,
  account,
  createdAt,
  recipients,
}: OutgoingMessage): ReadonlyArray<OutgoingRecipientRow> => {
  const addresses = new Set(recipients.map(({ address }) => addressKey(address)));
  return [...addresses].map((address) => ({ outgoing_id: id, address, account, created_at: createdAt }));
};
