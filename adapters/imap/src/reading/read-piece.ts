import type { MailServerError } from "@postern/core/mail";
import type { MessageNotFound, MessagePlace } from "@postern/core/messages";
import { Effect } from "effect";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { afterRemoval } from "../rows/after-removal.ts";
import { readFetchRow } from "../rows/fetch-row.ts";
import { isFetchRow } from "../rows/is-fetch-row.ts";
import { fetchAtPlace } from "./fetch-at-place.ts";
import { fetchExisting, requireExisting } from "./fetch-existing.ts";

/**
 * Reads bytes of a part, or of the whole message for the section "", in the write that opens its mailbox. Fewer bytes
 * than `maxLength` are the end of the part; a missing part is empty.
 */
export const readPiece = Effect.fnUntraced(function* (
  client: ImapFlow,
  place: MessagePlace,
  section: string,
  part: { readonly start: number; readonly maxLength: number },
  timeout: number,
): Effect.fn.Return<Uint8Array, MailServerError | MessageNotFound> {
  const bytesOf = (row: FetchMessageObject) =>
    (section === "" ? row.source : row.bodyParts?.get(section.toLowerCase())) || undefined;
  let row: FetchMessageObject | undefined;
  const take = (payload: Buffer, literals: ReadonlyArray<Buffer>): boolean => {
    if (!isFetchRow(payload)) {
      if (row !== undefined) row = afterRemoval(row, payload);
      return false;
    }
    const found = readFetchRow(payload, literals);
    if (found?.uid === place.uid && bytesOf(found) !== undefined) row = found;
    return true;
  };
  const line = `UID FETCH ${place.uid} (UID BODY.PEEK[${section}]<${part.start}.${part.maxLength}>)`;
  yield* fetchAtPlace(client, place, line, timeout, take, () => row !== undefined);
  if (row !== undefined) return bytesOf(row)!;
  // The message or the part is gone, the server refuses the part, or only imapflow can read the row.
  const query = section === "" ? { source: part } : { bodyParts: [{ key: section, ...part }] };
  const again = yield* fetchExisting(client, place, { uid: true, ...query }, timeout);
  const bytes = bytesOf(again);
  if (bytes !== undefined) return bytes;
  yield* requireExisting(client, place, timeout);
  return new Uint8Array();
});
