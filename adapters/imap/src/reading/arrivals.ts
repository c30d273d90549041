import { Array as Arrays, Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { uidSet } from "../wire/uid-set.ts";

/** Messages fetched by one command. */
const AT_ONCE = 500;

/** Returns the commands, without their tags, that fetch the arrival times of messages. */
export const arrivalLines = (uids: ReadonlyArray<number>): ReadonlyArray<string> =>
  Arrays.chunksOf(uids, AT_ONCE).map((some) => `UID FETCH ${uidSet(some)} (UID INTERNALDATE)`);

/** Returns the arrival times of messages of the open mailbox, in epoch milliseconds by UID. */
export const fetchArrivals = Effect.fnUntraced(function* (
  client: ImapFlow,
  uids: ReadonlyArray<number>,
  timeout: number,
) {
  const arrivals = new Map<number, number>();
  for (const some of Arrays.chunksOf(uids, AT_ONCE)) {
    const rows = yield* command(client, "fetch", timeout, () =>
      client.fetchAll(uidSet(some), { uid: true, internalDate: true }, { uid: true }),
    );
    for (const { uid, internalDate } of rows) {
      if (internalDate !== undefined) arrivals.set(uid, new Date(internalDate).getTime());
    }
  }
  return arrivals;
});
