import { Effect } from "effect";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { command } from "./command.ts";

/** A message, and what tells it from others in any mailbox: Message-ID, arrival and size as one text. */
export interface MessageLook {
  readonly uid: number;
  readonly look: string;
}

/** The looks of messages of the open mailbox. */
export const looksOf = (client: ImapFlow, range: string, timeout: number) =>
  Effect.map(
    command(client, "fetch", timeout, () =>
      client.fetchAll(range, { uid: true, envelope: true, internalDate: true, size: true }, { uid: true }),
    ),
    (rows) => rows.map((row): MessageLook => ({ uid: row.uid, look: lookOf(row) })),
  );

const lookOf = ({ envelope, internalDate, size }: FetchMessageObject): string =>
  JSON.stringify([
    envelope?.messageId ?? null,
    internalDate === undefined ? null : Number(new Date(internalDate)),
    size,
  ]);

/**
 * Pairs messages with their copies, each in ascending order; those with as many copies as originals of the same look, for
 * any others may be somebody else's.
 */
export const pairCopies = (
  originals: ReadonlyArray<MessageLook>,
  copies: ReadonlyArray<MessageLook>,
): ReadonlyMap<number, number> => {
  const [before, after] = [originals, copies].map((some) => Map.groupBy(some.toSorted(byUid), ({ look }) => look));
  const pairs = new Map<number, number>();
  for (const [look, same] of before!) {
    const there = after!.get(look) ?? [];
    if (there.length === same.length) for (const [n, { uid }] of same.entries()) pairs.set(uid, there[n]!.uid);
  }
  return pairs;
};

const byUid = (one: MessageLook, other: MessageLook): number => one.uid - other.uid;
