import { Array as Arrays, Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { uidSet } from "../wire/uid-set.ts";

/** Messages fetched by one command. */
const AT_ONCE = 500;

/** Returns whether the server identifies a message in any mailbox, by EMAILID (RFC 8474) or Gmail's X-GM-MSGID. */
export const hasEmailIds = ({ capabilities }: ImapFlow): boolean =>
  capabilities.has("OBJECTID") || capabilities.has("X-GM-EXT-1");

/** Returns the commands that fetch these ids, without their tags. */
export const emailIdLines = ({ capabilities }: ImapFlow, uids: ReadonlyArray<number>): ReadonlyArray<string> => {
  const item = capabilities.has("OBJECTID") ? "EMAILID" : "X-GM-MSGID";
  return Arrays.chunksOf(uids, AT_ONCE).map((some) => `UID FETCH ${uidSet(some)} (UID ${item})`);
};

/** Returns these ids of messages in the open mailbox, by UID. */
export const fetchEmailIds = Effect.fnUntraced(function* (
  client: ImapFlow,
  uids: ReadonlyArray<number>,
  timeout: number,
) {
  const ids = new Map<number, string>();
  for (const some of Arrays.chunksOf(uids, AT_ONCE)) {
    // imapflow adds EMAILID or X-GM-MSGID to each FETCH.
    const rows = yield* command(client, "fetch", timeout, () =>
      client.fetchAll(uidSet(some), { uid: true }, { uid: true }),
    );
    for (const { uid, emailId } of rows) if (emailId !== undefined) ids.set(uid, emailId);
  }
  return ids;
});
