import type { MailServerError } from "@postern/core/mail";
import { MAX_HEADER_BYTES, MessageNotFound, type MessagePlace } from "@postern/core/messages";
import { Effect } from "effect";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { BARE, SUMMARY } from "./message-summary.ts";
import { afterRemoval } from "../rows/after-removal.ts";
import { readFetchRow } from "../rows/fetch-row.ts";
import { isFetchRow } from "../rows/is-fetch-row.ts";
import { fetchAtPlace } from "./fetch-at-place.ts";
import { summaryItems } from "./summary-items.ts";

/** The data items to fetch of a message in addition to its summary. */
export interface ExtraItems {
  readonly header: boolean;
  /** Leaf parts, from their first byte on. */
  readonly sections: ReadonlyArray<string>;
  /** The maximum number of bytes to fetch of each part. */
  readonly limit: number;
}

/**
 * Selects the mailbox of a message and fetches the message, in one write. A second command fetches the message if the
 * server refuses this FETCH, or if only imapflow can read the row.
 */
export const openMessage = Effect.fnUntraced(function* (
  client: ImapFlow,
  place: MessagePlace,
  extra: ExtraItems,
  timeout: number,
): Effect.fn.Return<FetchMessageObject, MailServerError | MessageNotFound> {
  const { uid } = place;
  let row: FetchMessageObject | undefined;
  let isReadable = true;
  const line = `UID FETCH ${uid} (${itemsOf(client, extra)})`;
  const take = (payload: Buffer, literals: ReadonlyArray<Buffer>): boolean => {
    if (!isFetchRow(payload)) {
      if (row !== undefined) row = afterRemoval(row, payload);
      return false;
    }
    const found = readFetchRow(payload, literals);
    if (found === undefined) isReadable = false;
    if (found?.uid === uid && found.size !== undefined) row = found;
    else if (found?.seq === row?.seq && found?.flags !== undefined) row = { ...row!, flags: found.flags };
    return true;
  };
  const isAccepted = yield* fetchAtPlace(client, place, line, timeout, take, () => row !== undefined);
  if (!isAccepted || (row === undefined && !isReadable)) {
    // imapflow omits a row whose ENVELOPE or BODYSTRUCTURE it cannot read; Microsoft 365 sends such rows.
    for (const query of [SUMMARY, BARE]) {
      const found = yield* command(client, "fetch", timeout, () =>
        client.fetchOne(`${uid}`, { ...query, bodyParts: partsOf(extra) }, { uid: true }),
      );
      row ??= found === false ? undefined : found;
      if (row !== undefined) break;
    }
  }
  return row ?? (yield* new MessageNotFound());
});

const partsOf = ({ header, sections, limit }: ExtraItems) => [
  ...(header ? [{ key: "HEADER", start: 0, maxLength: MAX_HEADER_BYTES }] : []),
  ...sections.map((key) => ({ key, start: 0, maxLength: limit })),
];

const itemsOf = (client: ImapFlow, extra: ExtraItems): string => {
  const parts = partsOf(extra).map(({ key, maxLength }) => `BODY.PEEK[${key}]<0.${maxLength}>`);
  // The complete header includes the header field that a summary needs.
  return [summaryItems(client, extra.header ? [] : undefined), ...parts].join(" ");
};
