import type { ImapFlow } from "imapflow";
import { endFlood } from "./bound-responses.ts";
import { internalsOf } from "./imapflow-internals.ts";
import { nextTurn } from "./turns.ts";

const VANISHED = /^\* VANISHED( \(EARLIER\))? (\d{1,10}(?::\d{1,10})?(?:,\d{1,10}(?::\d{1,10})?)*) *$/i;

const [V, LOWER_V] = [0x56, 0x76];

/** Maximum number of UIDs that are passed on in one turn of the event loop, and in one second. */
const AT_ONCE = 10_000;
const MAX_A_SECOND = 1_000_000;

/** The event that listeners of `expunge` get for vanished messages. */
export interface Vanished {
  /** The UID; undefined if too many messages vanished to be named. */
  readonly uid: number | undefined;
  readonly vanished: true;
  /** Whether the messages vanished before the session opened the mailbox (RFC 7162, 3.2.10). */
  readonly earlier: boolean;
}

/**
 * Makes a client read VANISHED in slices. A set such as `1:4294967295` is a few bytes, and imapflow would pass on 16
 * million of its UIDs before anything else runs. A server that reports more removals than a mailbox can have messages
 * is flooding. If there are too many earlier removals, they are passed on as one removal without a UID.
 */
export const readVanished = (client: ImapFlow): void => {
  const internals = internalsOf(client);
  const handle = internals.handleResponse!.bind(client);
  let [second, spent] = [0, 0];

  const isAffordable = (count: number): boolean => {
    const now = performance.now();
    if (now - second > 1_000) [second, spent] = [now, 0];
    spent += count;
    return spent <= MAX_A_SECOND;
  };

  internals.handleResponse = async (response) => {
    const { payload } = response;
    const isVanished = payload[2] === V || payload[2] === LOWER_V;
    const [, earlier, set] = (isVanished && VANISHED.exec(payload.toString("latin1"))) || [];
    if (set === undefined) return handle(response);
    const { mailbox } = client;
    if (mailbox === false) return true;
    const ranges = set.split(",").map((range) => rangeOf(range));
    const count = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
    const announce = (uid: number | undefined) =>
      client.emit("expunge", { path: mailbox.path, uid, vanished: true, earlier: earlier !== undefined } as never);
    if (!isAffordable(count)) {
      if (earlier === undefined) endFlood(client, "the server removed more messages than it can have");
      else announce(undefined);
      return earlier !== undefined;
    }
    if (earlier === undefined) mailbox.exists = Math.max(0, mailbox.exists - count);
    let left = AT_ONCE;
    for (const [first, last] of ranges) {
      for (let uid = first; uid <= last; uid++) {
        announce(uid);
        if (--left > 0) continue;
        left = AT_ONCE;
        await nextTurn();
      }
    }
    return true;
  };
};

const rangeOf = (range: string): readonly [first: number, last: number] => {
  const [first, last = first] = range.split(":").map(Number);
  return [Math.min(first!, last!), Math.max(first!, last!)];
};
