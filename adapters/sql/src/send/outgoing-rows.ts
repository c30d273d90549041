import { addressKey } from "@postern/core/mail";
import { type JournalEntry, type OutgoingMessage, outgoingMessageJson, type WaitingOf } from "@postern/core/send";
import { Effect, Option } from "effect";
import { readJson } from "../database/read-json.ts";
import type { OutgoingRecipientRow, OutgoingRow } from "../tables/send.ts";

/** Returns the message of a row; none if it cannot be read. */
export const messageOf = ({ id, record }: Pick<OutgoingRow, "id" | "record">) =>
  readJson(outgoingMessageJson, record, { table: "outgoing", id });

/** Returns the messages of those rows that can be read. */
export const messagesOf = (rows: ReadonlyArray<Pick<OutgoingRow, "id" | "record">>) =>
  Effect.map(Effect.forEach(rows, messageOf), (all) => all.flatMap(Option.toArray));

/** Returns the message of a row, and whether it is leased at `now`. */
export const entryOf = (row: OutgoingRow, now: number): Effect.Effect<Option.Option<JournalEntry>> =>
  Effect.map(
    messageOf(row),
    Option.map((message) => ({
      message,
      leased: row.lease_token !== null && row.due_at !== null && row.due_at > now,
    })),
  );

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

/** Returns the columns by which a waiting message is found. */
export const waitColumns = ({
  author,
  waitsFor,
}: OutgoingMessage): Pick<OutgoingRow, "key_id" | "application" | "waits_for"> => ({
  key_id: author?.key ?? null,
  application: author?.application ?? null,
  waits_for: waitsFor ?? null,
});

/** Returns the column, and the value in it, that select these messages. */
export const columnOf = (whose: WaitingOf) => {
  if ("account" in whose) return { column: "account", value: whose.account } as const;
  if ("key" in whose) return { column: "key_id", value: whose.key } as const;
  return "server" in whose
    ? ({ column: "waits_for", value: whose.server } as const)
    : ({ column: "application", value: whose.application } as const);
};
