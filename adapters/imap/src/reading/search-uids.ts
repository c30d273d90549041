import { MailServerError } from "@postern/core/mail";
import { rangesOf, type UidRanges } from "@postern/core/watch";
import { Effect } from "effect";
import type { ImapFlow, SearchObject } from "imapflow";
import { command } from "../connection/command.ts";
import { nextTurn } from "../wire/turns.ts";

/** The number of ranges that are read in one turn of the event loop. */
const RANGES_AT_ONCE = 10_000;

/** Returns the UIDs of the messages that match a query, ascending. */
export const findUids = Effect.fnUntraced(function* (
  client: ImapFlow,
  query: SearchObject,
  timeout: number,
): Effect.fn.Return<ReadonlyArray<number>, MailServerError> {
  const found = yield* command(client, "search", timeout, () => client.search(query, { uid: true }));
  if (!Array.isArray(found)) return yield* noResult();
  return found.toSorted((one, other) => one - other);
});

/** Returns the existing UIDs of a range, ascending. `n:*` matches the last message if its UID is below n. */
export const searchUids = (client: ImapFlow, range: string, timeout: number) =>
  findUids(client, { uid: range }, timeout);

/** Returns the existing UIDs of a range as ranges, which ESEARCH (RFC 4731) transmits as such. */
export const searchRanges = Effect.fnUntraced(function* (
  client: ImapFlow,
  range: string,
  timeout: number,
): Effect.fn.Return<UidRanges, MailServerError> {
  const query = range === "1:*" ? { all: true } : { uid: range };
  const found = yield* command(client, "search", timeout, () =>
    client.search(query, { uid: true, returnOptions: ["ALL", "COUNT"] }),
  );
  if (found === undefined || found === false) return yield* noResult();
  if (Array.isArray(found)) return rangesOf(found.toSorted((one, other) => one - other));
  const { all } = found;
  if (all !== undefined) return yield* Effect.promise(() => rangesIn(all));
  // iCloud announces ESEARCH and ignores RETURN.
  return found.count === 0 ? [] : rangesOf(yield* searchUids(client, range, timeout));
});

/** Returns the highest position of a message in a range of UIDs; 0 if there is none. */
export const lastPosition = Effect.fnUntraced(function* (
  client: ImapFlow,
  range: string,
  timeout: number,
): Effect.fn.Return<number, MailServerError> {
  const query = { uid: range };
  const found = yield* command(client, "search", timeout, () =>
    client.search(query, { returnOptions: ["MAX", "COUNT"] }),
  );
  if (found === undefined || found === false) return yield* noResult();
  if (Array.isArray(found)) return found.at(-1) ?? 0;
  if (found.max !== undefined || found.count === 0) return found.max ?? 0;
  // iCloud announces ESEARCH and ignores RETURN.
  const all = yield* command(client, "search", timeout, () => client.search(query, { uid: false }));
  return Array.isArray(all) ? (all.at(-1) ?? 0) : yield* noResult();
});

/** Returns the ranges of a sequence set, which lists them in any order and with either end first. */
const rangesIn = async (set: string): Promise<UidRanges> => {
  const ranges: Array<UidRanges[number]> = [];
  for (let at = 0; at <= set.length;) {
    const comma = set.indexOf(",", at);
    const end = comma < 0 ? set.length : comma;
    const [first, last = first] = set.slice(at, end).split(":").map(Number);
    ranges.push([Math.min(first!, last!), Math.max(first!, last!)]);
    if (ranges.length % RANGES_AT_ONCE === 0) await nextTurn();
    at = end + 1;
  }
  return ranges.sort(([one], [other]) => one - other);
};

const noResult = () =>
  new MailServerError({ reason: "protocol", operation: "search", detail: "the server gave no result" });
