import type { FetchMessageObject, FetchQueryObject, ImapFlow } from "imapflow";
import { withResponses } from "../imapflow-internals.ts";
import { readFetchRow } from "./fetch-row.ts";

/** Fetches the rows of a listing in the order of the mailbox; imapflow reads the rows that `readFetchRow` cannot. */
export const fetchRows = async (
  client: ImapFlow,
  range: string,
  query: FetchQueryObject,
  options: { readonly uid: boolean },
): Promise<ReadonlyArray<FetchMessageObject> | undefined> => {
  const rows: Array<FetchMessageObject> = [];
  const take = (payload: Buffer, literals: ReadonlyArray<Buffer>): boolean => {
    const row = readFetchRow(payload, literals);
    return row !== undefined && rows.push(row) > 0;
  };
  // Undefined on a closed connection.
  const others: ReadonlyArray<FetchMessageObject> | undefined = await withResponses(client, take, () =>
    client.fetchAll(range, query, options),
  );
  return others && rows.concat(others).sort((a, b) => a.seq - b.seq);
};
