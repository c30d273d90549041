import type { FetchMessageObject, FetchQueryObject, ImapFlow } from "imapflow";
import { withResponses } from "../wire/imapflow-internals.ts";
import { readFetchRow } from "./fetch-row.ts";

/**
 * Fetches rows and passes each to `use` when it arrives, so that rows do not stay in memory. imapflow reads the rows
 * that `readFetchRow` cannot read, and passes them last. Returns undefined if the connection is closed.
 */
export const fetchEachRow = async (
  client: ImapFlow,
  range: string,
  query: FetchQueryObject,
  options: { readonly uid: boolean },
  use: (row: FetchMessageObject) => void,
): Promise<true | undefined> => {
  const take = (payload: Buffer, literals: ReadonlyArray<Buffer>): boolean => {
    const row = readFetchRow(payload, literals);
    if (row !== undefined) use(row);
    return row !== undefined;
  };
  const others: ReadonlyArray<FetchMessageObject> | undefined = await withResponses(client, take, () =>
    client.fetchAll(range, query, options),
  );
  others?.forEach(use);
  return others && true;
};

/** Fetches the rows of a listing in the order of the mailbox. */
export const fetchRows = async (
  client: ImapFlow,
  range: string,
  query: FetchQueryObject,
  options: { readonly uid: boolean },
): Promise<ReadonlyArray<FetchMessageObject> | undefined> => {
  const rows: Array<FetchMessageObject> = [];
  const isOpen = await fetchEachRow(client, range, query, options, (row) => rows.push(row));
  return isOpen && rows.sort((a, b) => a.seq - b.seq);
};
