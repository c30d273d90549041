import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { isListed, readListRow } from "../rows/list-row.ts";
import { internalsOf } from "../wire/imapflow-internals.ts";
import { pipeline } from "../wire/in-one-write.ts";
import { pathIn } from "./mailbox-standings.ts";

const EVENTS = "MessageNew MessageExpunge FlagChange";
const NOTIFY = `NOTIFY SET (SELECTED-DELAYED (${EVENTS})) (PERSONAL (${EVENTS} MailboxName))`;

/** A mailbox was created, renamed or deleted. */
const ANY_MAILBOX = /^\* LIST /i;

/** The server stops announcing changes (RFC 5465, 5.8). */
const OVERFLOW = /^\* \S+ \[NOTIFICATIONOVERFLOW/i;

/**
 * Makes the server announce changes of all mailboxes (RFC 5465); returns false if the server cannot. Changes of flags
 * are announced only while CONDSTORE is enabled. `heard` gets the path of each changed mailbox, and null if any mailbox
 * may have changed. `stopped` is called when the server stops announcing changes. imapflow does not see a STATUS that
 * announces a change, because it would mistake this STATUS for an answer to its own.
 */
export const announceAll = Effect.fnUntraced(function* (
  client: ImapFlow,
  timeout: number,
  heard: (path: string | null) => void,
  stopped: () => void,
) {
  if (!client.capabilities.has("NOTIFY")) return false;
  const { accepted } = yield* command(client, "notify", timeout, () => pipeline(client, [NOTIFY], () => false));
  if (accepted[0] !== true) return false;
  const internals = internalsOf(client);
  const handle = internals.handleResponse!.bind(client);
  internals.handleResponse = (response) => {
    const row = isListed(response.payload) ? readListRow(response.payload, response.literals) : undefined;
    const path = row && pathIn(client, row);
    const isOpen = client.mailbox !== false && client.mailbox.path === path;
    if (row?.command === "STATUS" && !isOpen) {
      heard(path!);
      return Promise.resolve(true);
    }
    const start = response.payload.toString("latin1", 0, 64);
    const isOver = OVERFLOW.test(start);
    if (isOver) stopped();
    if (isOver || ANY_MAILBOX.test(start)) heard(null);
    return handle(response);
  };
  return true;
});
