import type { MailServerError, MessageSummary } from "@postern/core/mail";
import { Effect } from "effect";
import type { FetchQueryObject, ImapFlow, MessageStructureObject } from "imapflow";
import { command } from "../connection/command.ts";
import { fetchInParts } from "./fetch-in-parts.ts";
import { BARE, messageSummary, SUMMARY } from "./message-summary.ts";
import { fetchRows } from "../rows/fetch-rows.ts";
import { uidSet } from "../wire/uid-set.ts";

/**
 * Returns the summaries of these messages, by UID or by position, in the order of the mailbox; `keep` receives the
 * structures. If a message's ENVELOPE or BODYSTRUCTURE cannot be read (Microsoft 365 sends such messages), or the
 * server refuses to describe it, the summary has only the other properties.
 */
export const fetchSummaries = Effect.fnUntraced(function* (
  client: ImapFlow,
  set: string,
  by: "uid" | "position",
  timeout: number,
  keep?: (uid: number, structure: MessageStructureObject) => void,
): Effect.fn.Return<ReadonlyArray<MessageSummary>, MailServerError> {
  const fetch = (some: string, query: FetchQueryObject) =>
    Effect.map(
      command(client, "fetch", timeout, () => fetchRows(client, some, query, { uid: by === "uid" })),
      (rows) => (rows ?? []).filter(({ uid, size }) => uid && size),
    );
  const numbers = numbersIn(set);
  const bare = (some: ReadonlyArray<number>) => fetch(uidSet(some), BARE);
  const rows = yield* fetchInParts(numbers, (some) => fetch(uidSet(some), SUMMARY), bare);
  const read = new Set(rows.map(({ uid, seq }) => (by === "uid" ? uid : seq)));
  const unread = numbers.filter((number) => !read.has(number));
  const others = unread.length === 0 ? [] : yield* bare(unread);
  for (const { uid, bodyStructure } of rows) if (bodyStructure !== undefined) keep?.(uid, bodyStructure);
  return [...rows, ...others]
    .toSorted((one, other) => one.seq - other.seq)
    .map(messageSummary)
    .filter((message) => message !== undefined);
});

/** Returns the numbers of a set with ascending ranges. */
const numbersIn = (set: string): ReadonlyArray<number> =>
  set.split(",").flatMap((range) => {
    const [first, last = first] = range.split(":").map(Number);
    return Array.from({ length: last! - first! + 1 }, (_, n) => first! + n);
  });
