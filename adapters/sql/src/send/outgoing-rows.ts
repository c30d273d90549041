import { addressKey } from "@postern/core/mail";
import {
  type JournalEntry,
  type OutgoingJournal,
  type OutgoingMessage,
  outgoingJson,
  stateOf,
} from "@postern/core/send";
import { Effect, Option } from "effect";
import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { readJson } from "../database/read-json.ts";
import type { OutgoingRecipientRow, OutgoingRow } from "../tables/send.ts";
import type { Tables } from "../tables/Tables.ts";

/** The conditions that select messages. */
export type OutgoingFilter = Parameters<OutgoingJournal["Service"]["list"]>[0];

type Readable = Pick<OutgoingRow, "id" | "record"> & Partial<Pick<OutgoingRow, "asked">>;

/** Returns the message of a row; none if it cannot be read. */
export const messageOf = ({ id, record, asked = null }: Readable): Effect.Effect<Option.Option<OutgoingMessage>> => {
  const read = readJson(outgoingJson.message, record, { table: "outgoing", id });
  return asked === null
    ? read
    : Effect.map(
        read,
        Option.map((message) => ({ ...message, asked })),
      );
};

/** Returns the messages of the rows that can be read. */
export const messagesOf = (rows: ReadonlyArray<Readable>) =>
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
export const waitColumns = (
  message: OutgoingMessage,
): Pick<OutgoingRow, "key_id" | "application" | "waits_for" | "state"> => ({
  key_id: message.author?.key ?? null,
  application: message.author?.application ?? null,
  waits_for: message.waitsFor ?? null,
  state: stateOf(message, false),
});

/** The states without a lease that become `sending` with a lease. */
export const WAITING = ["scheduled", "queued", "held"] as const;

/** Returns the condition that a row matches a filter at `now`. PostgreSQL refuses NUL in text, also in comparisons. */
export const foundBy =
  ({ account, key, application, server, state, messageId }: OutgoingFilter, now: number) =>
  (where: ExpressionBuilder<Tables, "outgoing">): Expression<SqlBool> => {
    const is = (column: "account" | "key_id" | "application" | "waits_for", value: string | undefined) =>
      value === undefined ? [] : [value.includes("\0") ? where.lit(false) : where(column, "=", value)];
    const isLeased = where.and([where("lease_token", "is not", null), where("due_at", ">", now)]);
    const isIn = (wanted: NonNullable<typeof state>) => {
      if (wanted === "sending")
        return where.or([where("state", "=", wanted), where.and([where("state", "in", WAITING), isLeased])]);
      const isKept = where("state", "=", wanted);
      return WAITING.some((one) => one === wanted) ? where.and([isKept, where.not(isLeased)]) : isKept;
    };
    const isNamed = (id: string) =>
      id.includes("\0")
        ? where.lit(false)
        : where.or([where("message_id", "=", id), where("provider_message_id", "=", id)]);
    return where.and([
      ...is("account", account),
      ...is("key_id", key),
      ...is("application", application),
      ...is("waits_for", server),
      ...(state === undefined ? [] : [isIn(state)]),
      ...(messageId === undefined ? [] : [isNamed(messageId)]),
    ]);
  };
