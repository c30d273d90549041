import type { MailServerError } from "@postern/core/mail";
import { MAX_HEADER_BYTES, MessageNotFound, type MessagePlace } from "@postern/core/messages";
import { Effect } from "effect";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { inOneWrite } from "../wire/in-one-write.ts";
import { BARE, SUMMARY } from "./message-summary.ts";
import { readFetchRow } from "../rows/fetch-row.ts";
import { isFetchRow } from "../rows/is-fetch-row.ts";
import { selectMailbox } from "../selecting/select-mailbox.ts";
import { summaryItems } from "./summary-items.ts";

/** What to fetch of a message beside its summary. */
export interface Wanted {
  readonly header: boolean;
  /** Leaf parts, from their first byte on. */
  readonly sections: ReadonlyArray<string>;
  /** Bytes of each part. */
  readonly limit: number;
}

/**
 * Selects the mailbox of a message and fetches the message, in one write. A row that only imapflow can read, or a FETCH
 * that the server refused, is asked for again by itself.
 */
export const openMessage = Effect.fnUntraced(function* (
  client: ImapFlow,
  { path, uidValidity, uid }: MessagePlace,
  wanted: Wanted,
  timeout: number,
): Effect.fn.Return<FetchMessageObject, MailServerError | MessageNotFound> {
  let row: FetchMessageObject | undefined;
  let isUnread = true;
  const select = async () => {
    const line = `UID FETCH ${uid} (${itemsOf(client, wanted)})`;
    let isReadable = true;
    const take = (payload: Buffer, literals: ReadonlyArray<Buffer>): boolean => {
      if (!isFetchRow(payload)) return false;
      const found = readFetchRow(payload, literals);
      if (found === undefined) isReadable = false;
      if (found?.uid === uid && found.size !== undefined) row = found;
      return true;
    };
    const { answer, accepted } = await inOneWrite(client, [line], take, () => client.mailboxOpen(path));
    isUnread = accepted[0] !== true || !isReadable;
    return answer;
  };
  const mailbox = yield* Effect.catchTag(
    selectMailbox(client, path, timeout, select),
    ["FolderNotFound", "FolderNotSelectable"],
    () => new MessageNotFound(),
  );
  if (Number(mailbox.uidValidity) !== uidValidity) return yield* new MessageNotFound();
  if (isUnread) {
    // imapflow leaves out a row whose ENVELOPE or BODYSTRUCTURE it cannot read, as Microsoft 365 sends some.
    for (const query of [SUMMARY, BARE]) {
      const found = yield* command(client, "fetch", timeout, () =>
        client.fetchOne(`${uid}`, { ...query, bodyParts: partsOf(wanted) }, { uid: true }),
      );
      row ??= found === false ? undefined : found;
      if (row !== undefined) break;
    }
  }
  return row ?? (yield* new MessageNotFound());
});

const partsOf = ({ header, sections, limit }: Wanted) => [
  ...(header ? [{ key: "HEADER", start: 0, maxLength: MAX_HEADER_BYTES }] : []),
  ...sections.map((key) => ({ key, start: 0, maxLength: limit })),
];

const itemsOf = (client: ImapFlow, wanted: Wanted): string => {
  const parts = partsOf(wanted).map(({ key, maxLength }) => `BODY.PEEK[${key}]<0.${maxLength}>`);
  // A whole header has the field of a summary too.
  return [summaryItems(client, wanted.header ? [] : undefined), ...parts].join(" ");
};
