import type { ImapFlow, ListResponse } from "imapflow";
import { parseStatusList } from "imapflow/lib/commands/status-fields.js";
import { decodePath, normalizePath } from "imapflow/lib/tools.js";
import { takeUntagged, type Untagged } from "../wire/imapflow-internals.ts";
import { isListed, readListRow } from "./list-row.ts";

/** The LIST rows of a connection's last listing, with the entries that imapflow parsed from them. */
interface Listing {
  readonly rows: ReadonlyArray<Buffer>;
  readonly entries: ReadonlyArray<ListResponse>;
}

const LAST_LISTINGS = new WeakMap<ImapFlow, Listing>();

/**
 * Reads the rows of one listing without imapflow's parser. If the LIST rows equal those of the connection's last
 * listing byte for byte, the entries of that listing are reused with new counts. imapflow then does not see the rows.
 */
export class ListingRows {
  readonly #client: ImapFlow;
  #last: Listing | undefined;
  #heldRows = 0;
  #heldStatuses: Array<Untagged> = [];
  readonly #rows: Array<Buffer> = [];
  #isWhole = true;

  constructor(client: ImapFlow) {
    this.#client = client;
    // `mailboxIdsOf` reads MAILBOXIDs from the responses that are passed to imapflow.
    this.#isWhole = !client.capabilities.has("OBJECTID");
    this.#last = this.#isWhole ? LAST_LISTINGS.get(client) : undefined;
  }

  /** Reads a response; returns false if imapflow must read it. */
  readonly take = (payload: Buffer, literals: ReadonlyArray<Buffer>): boolean => {
    if (literals.length === 0 && this.#last?.rows[this.#heldRows]?.equals(payload) === true) {
      this.#heldRows++;
      return true;
    }
    const row = readListRow(payload, literals);
    if (row === undefined) {
      if (isListed(payload)) this.#isWhole = false;
      // The end of the command, or an unexpected response.
      if (!this.#isWhole || !this.#equalsLast()) this.#handOver();
      return false;
    }
    if (row.command === "STATUS" && this.#last !== undefined) return this.#heldStatuses.push(row) > 0;
    if (row.command === "LIST") {
      this.#handOver();
      if (literals.length > 0) this.#isWhole = false;
      this.#rows.push(payload);
    }
    return takeUntagged(this.#client, row);
  };

  /** Returns the entries of the listing, given the entries that imapflow parsed. */
  entries(parsed: ReadonlyArray<ListResponse>): ReadonlyArray<ListResponse> {
    if (this.#last !== undefined) return withStatus(this.#client, this.#last.entries, this.#heldStatuses);
    if (this.#isWhole && this.#rows.length === parsed.length)
      LAST_LISTINGS.set(this.#client, { rows: this.#rows, entries: parsed });
    return parsed;
  }

  /**
   * Returns whether all rows equal those of the last listing. False for a listing without counts, because imapflow must
   * request them.
   */
  #equalsLast(): boolean {
    return this.#heldRows === this.#last?.rows.length && this.#heldStatuses.length > 0;
  }

  #handOver(): void {
    const rows = this.#last?.rows.slice(0, this.#heldRows) ?? [];
    this.#last = undefined;
    this.#rows.push(...rows);
    for (const payload of rows) takeUntagged(this.#client, readListRow(payload, [])!);
    for (const row of this.#heldStatuses.splice(0)) takeUntagged(this.#client, row);
  }
}

/** Updates the entries in place, because no other code has references to them. */
const withStatus = (
  client: ImapFlow,
  entries: ReadonlyArray<ListResponse>,
  rows: ReadonlyArray<Untagged>,
): ReadonlyArray<ListResponse> => {
  const statuses = new Map<string, ListResponse["status"]>();
  for (const { attributes } of rows) {
    const [name, values] = attributes as [{ readonly value: string }, Parameters<typeof parseStatusList>[0]];
    const path = normalizePath(client as never, decodePath(client as never, name.value));
    const status: Record<string, unknown> = { path };
    parseStatusList(values, (key, value) => {
      status[key] = value;
    });
    statuses.set(path, status as unknown as ListResponse["status"]);
  }
  for (const entry of entries) {
    const status = entry.flags.has("\\Noselect") ? undefined : statuses.get(entry.path);
    if (status === undefined) delete entry.status;
    else entry.status = status;
  }
  return entries;
};
