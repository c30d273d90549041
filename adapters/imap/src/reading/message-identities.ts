import { Effect } from "effect";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";

/** A message with the text that identifies it in any mailbox: Message-ID, arrival and size. */
export interface MessageIdentity {
  readonly uid: number;
  readonly identity: string;
}

/** Returns the identities of messages of the open mailbox. */
export const identitiesOf = (client: ImapFlow, range: string, timeout: number) =>
  Effect.map(
    command(client, "fetch", timeout, () =>
      client.fetchAll(range, { uid: true, envelope: true, internalDate: true, size: true }, { uid: true }),
    ),
    (rows) => rows.map((row): MessageIdentity => ({ uid: row.uid, identity: identityOf(row) })),
  );

const identityOf = ({ envelope, internalDate, size }: FetchMessageObject): string =>
  JSON.stringify([
    envelope?.messageId ?? null,
    internalDate === undefined ? null : Number(new Date(internalDate)),
    size,
  ]);

/**
 * Pairs messages with their copies, both in ascending order. Skips identities whose numbers of originals and copies
 * differ, because other clients may have added messages.
 */
export const pairCopies = (
  originals: ReadonlyArray<MessageIdentity>,
  copies: ReadonlyArray<MessageIdentity>,
): ReadonlyMap<number, number> => {
  const [before, after] = [originals, copies].map((some) =>
    Map.groupBy(some.toSorted(byUid), ({ identity }) => identity),
  );
  const pairs = new Map<number, number>();
  for (const [identity, same] of before!) {
    const there = after!.get(identity) ?? [];
    if (there.length === same.length) for (const [n, { uid }] of same.entries()) pairs.set(uid, there[n]!.uid);
  }
  return pairs;
};

const byUid = (one: MessageIdentity, other: MessageIdentity): number => one.uid - other.uid;
