import type { ImapFlow } from "imapflow";
import parse from "imapflow/lib/handler/imap-parser.js";
import { endFlood } from "./bound-responses.ts";
import { internalsOf, type Untagged } from "./imapflow-internals.ts";
import { nextTurn } from "./turns.ts";

/** The size up to which imapflow reads an answer in one or two milliseconds. */
const LONG_BYTES = 64 << 10;
/** Maximum bytes read in one turn of the event loop. */
const SLICE_BYTES = 64 << 10;
/** Maximum bytes of an ESEARCH response before and after its set. */
const FRAME_BYTES = 1_000;

const SPACE = 0x20;
const ZERO = 0x30;
const MAX_UID = 0xffff_ffff;

/**
 * Makes a client read long answers to a search in slices, so that other work runs in between: imapflow would block for
 * up to three seconds on 16 MB. A malformed answer closes the connection.
 */
export const readLongSearches = (client: ImapFlow): void => {
  const internals = internalsOf(client);
  const handle = internals.handleResponse!.bind(client);
  const refuse = (): false => {
    endFlood(client, "the server answered a search with what is no list of messages");
    return false;
  };
  const pass = async (untagged: Untagged): Promise<void> => {
    await internals.getUntaggedHandler(untagged.command, untagged.attributes)?.(untagged);
  };

  const readSearch = async (payload: Buffer): Promise<boolean> => {
    let value = -1;
    for (let at = "* SEARCH".length; at < payload.length;) {
      const numbers: Array<number> = [];
      const end = Math.min(at + SLICE_BYTES, payload.length);
      for (; at < end; at++) {
        const digit = payload[at]! - ZERO;
        if (payload[at] === SPACE) {
          if (value >= 0) numbers.push(value);
          value = -1;
        } else if (digit >= 0 && digit <= 9 && value <= MAX_UID) value = Math.max(value, 0) * 10 + digit;
        else if (/^\(MODSEQ \d{1,19}\) *$/i.test(payload.toString("latin1", at, at + FRAME_BYTES))) at = payload.length;
        else return refuse();
      }
      if (at === payload.length && value >= 0) numbers.push(value);
      await pass({ command: "SEARCH", attributes: [], numbers });
      await nextTurn();
    }
    return true;
  };

  const readEsearch = async (payload: Buffer): Promise<boolean> => {
    const start = payload.toString("latin1", 0, FRAME_BYTES).toUpperCase().indexOf(" ALL ") + " ALL ".length;
    const space = payload.indexOf(SPACE, start);
    const end = space < 0 ? payload.length : space;
    if (start < " ALL ".length || payload.length - end > FRAME_BYTES) return refuse();
    const frame = Buffer.concat([payload.subarray(0, start), Buffer.from("1"), payload.subarray(end)]);
    const { attributes = [] } = (await parse(frame)) as Partial<Untagged>;
    const all = attributes.findIndex((one) => one !== null && "value" in one && one.value === "ALL");
    const set = { type: "ATOM", value: payload.toString("latin1", start, end) };
    await pass({ command: "ESEARCH", attributes: attributes.toSpliced(all + 1, 1, set) });
    return true;
  };

  internals.handleResponse = (response) => {
    const { payload, literals } = response;
    if (payload.length <= LONG_BYTES || literals.length > 0) return handle(response);
    const [, name] = /^\* (E?SEARCH) /i.exec(payload.toString("latin1", 0, 12)) ?? [];
    if (name === undefined) return handle(response);
    return name.toUpperCase() === "SEARCH" ? readSearch(payload) : readEsearch(payload);
  };
};
