import { addressKey } from "@postern/core/mail";
import { dueAt, type OutgoingContents, type OutgoingJournal, type OutgoingMessage, stateOf } from "@postern/core/send";
import type { AccountId, Lease } from "@postern/core/shared";
import { HashMap } from "effect";

/** A message with its lease, and with its contents until they are erased. */
export interface Row {
  readonly message: OutgoingMessage;
  readonly contents: OutgoingContents | null;
  readonly lease: Lease | null;
  /** The change that was requested while the message was leased. */
  readonly asked: NonNullable<OutgoingMessage["asked"]> | null;
  /** The due time set by a release, in epoch milliseconds; null unless it was released. */
  readonly releasedAt: number | null;
  /** Epoch milliseconds; null until the message is finished. */
  readonly finishedAt: number | null;
}

type OutgoingFilter = Parameters<OutgoingJournal["Service"]["list"]>[0];

type Rows = HashMap.HashMap<string, Row>;

/** Returns whether a row matches the filter at `now`. */
export const isOneOf = (
  { account, key, application, server, state, messageId }: OutgoingFilter,
  { message, lease }: Row,
  now: number,
): boolean =>
  (account === undefined || account === message.account) &&
  (key === undefined || key === message.author?.key) &&
  (application === undefined || application === message.author?.application) &&
  (server === undefined || server === message.waitsFor) &&
  (state === undefined || state === stateOf(message, lease !== null && lease.until > now)) &&
  (messageId === undefined || messageId === message.messageId || messageId === message.providerMessageId);

/** Returns whether a message comes after a location in the list, which is sorted from newest to oldest. */
const isAfter = ({ createdAt, id }: OutgoingMessage, place: { readonly at: number; readonly id: string } | undefined) =>
  place === undefined || createdAt < place.at || (createdAt === place.at && id < place.id);

/** Returns up to `limit` matching rows after a location, newest first. */
export const pageOfChosen = (
  all: Rows,
  whose: OutgoingFilter,
  now: number,
  limit: number,
  after: { readonly at: number; readonly id: string } | undefined,
): ReadonlyArray<Row> =>
  [...HashMap.values(all)]
    .filter((row) => isOneOf(whose, row, now) && isAfter(row.message, after))
    .toSorted(({ message: one }, { message: other }) =>
      one.createdAt === other.createdAt ? (one.id < other.id ? 1 : -1) : other.createdAt - one.createdAt,
    )
    .slice(0, limit);

const messagesIn = (all: Rows, account: AccountId) =>
  [...HashMap.values(all)].map(({ message }) => message).filter((message) => message.account === account);

/** Returns the messages of an account with these ids or Message-IDs. */
export const selectByIds = (
  all: Rows,
  account: AccountId,
  messageIds: ReadonlyArray<string>,
  ids: ReadonlyArray<string>,
): ReadonlyArray<OutgoingMessage> =>
  messagesIn(all, account).filter(
    ({ id, messageId, providerMessageId = "" }) =>
      messageIds.includes(messageId) || messageIds.includes(providerMessageId) || ids.includes(id),
  );

/** Returns the messages of an account to these addresses since a time, newest first, at most 100. */
export const selectSentTo = (
  all: Rows,
  account: AccountId,
  addresses: ReadonlyArray<string>,
  since: number,
): ReadonlyArray<OutgoingMessage> => {
  const wanted = new Set(addresses.map(addressKey));
  return messagesIn(all, account)
    .filter(({ createdAt }) => createdAt >= since)
    .filter(({ recipients }) => recipients.some(({ address }) => wanted.has(addressKey(address))))
    .toSorted((one, other) => other.createdAt - one.createdAt)
    .slice(0, 100);
};

type Slice = Parameters<OutgoingJournal["Service"]["changeSlice"]>;

interface Rewriting {
  readonly messageIn: (row: Row) => OutgoingMessage;
  readonly rewrite: (row: Row, message: OutgoingMessage) => Row;
}

const isSending = ({ lease, message }: Row): boolean =>
  lease !== null || message.recipients.some(({ state }) => state === "dot");

/** Returns the unfinished rows of a slice, in the order of their ids. */
export const sliceOf = (
  all: Rows,
  whose: Slice[0],
  { after, limit, now }: Pick<Slice[2], "after" | "limit" | "now">,
): ReadonlyArray<Row> =>
  [...HashMap.values(all)]
    .filter((row) => dueAt(row.message) !== null && row.message.id > after && isOneOf(whose, row, now))
    .toSorted(({ message: one }, { message: other }) => (one.id < other.id ? -1 : 1))
    .slice(0, limit);

/** Changes a slice of the matching rows; for messages that are being sent it stores the request. */
export const changedSlice = (
  all: Rows,
  whose: Slice[0],
  change: Slice[1],
  { asked, messageIn, rewrite, ...slice }: Slice[2] & Rewriting,
) => {
  const some = sliceOf(all, whose, slice);
  const open = some.filter((row) => row.asked !== "cancel");
  const changed = open.flatMap((row) => {
    const message = messageIn(row);
    const next = isSending(row) ? message : change(message, false);
    return next === message ? [] : [rewrite(row, next)];
  });
  const noted = open.filter((row) => {
    const message = messageIn(row);
    return asked !== undefined && isSending(row) && row.asked !== asked && change(message, true) !== message;
  });
  const next = new Map([
    ...noted.map((row) => [row.message.id, { ...row, asked: asked ?? null }] as const),
    ...changed.map((row) => [row.message.id, row] as const),
  ]);
  const last = some.length < slice.limit ? null : some.at(-1)!.message.id;
  return [
    { changed: changed.map(({ message }) => message), asked: noted.length, last },
    [...next].reduce((rest, [id, row]) => HashMap.set(rest, id, row), all),
  ] as const;
};

/** Counts the unfinished messages by state. */
export const backlogOf = (all: Rows, now: number) => {
  const counts = { scheduled: 0, queued: 0, held: 0, sending: 0 };
  let oldestAt: number | null = null;
  for (const { message, lease } of HashMap.values(all)) {
    const state = stateOf(message, lease !== null && lease.until > now);
    if (Object.hasOwn(counts, state)) counts[state as keyof typeof counts]++;
    // The state is derived without the lease, as in the SQL store.
    if (stateOf(message, false) === "queued") oldestAt = Math.min(oldestAt ?? Infinity, message.createdAt);
  }
  return { counts, oldestAt };
};
