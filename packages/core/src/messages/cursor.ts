import { Option, Result } from "effect";
import * as Base64Url from "effect/encoding/Base64Url";

/**
 * The point where a listing continues: below this UID (spec 5). UIDs only grow, so arrivals and removals neither repeat
 * nor skip messages.
 */
export interface Cursor {
  readonly folderId: string;
  readonly uidValidity: number;
  /** The lowest UID shown so far. */
  readonly uid: number;
  /** The position that UID had; it can only have decreased since, so the search starts here. */
  readonly position: number;
}

const FORM = /^1\.(\d{1,10})\.(\d{1,10})\.(\d{1,10})\.(.+)$/s;
const isNumber32 = (n: number): boolean => n >= 1 && n <= 0xffff_ffff;

/** Encodes a cursor for clients. */
export const encodeCursor = ({ folderId, uidValidity, uid, position }: Cursor): string =>
  Base64Url.encode(`1.${uidValidity}.${uid}.${position}.${folderId}`);

/** Decodes a cursor; none if the text is not a cursor. */
export const decodeCursor = (text: string): Option.Option<Cursor> =>
  Result.getSuccess(Base64Url.decodeString(text)).pipe(
    Option.flatMapNullishOr((plain) => FORM.exec(plain)),
    Option.map(([, uidValidity, uid, position, folderId]) => ({
      folderId: folderId!,
      uidValidity: Number(uidValidity),
      uid: Number(uid),
      position: Number(position),
    })),
    Option.filter((cursor) => [cursor.uidValidity, cursor.uid, cursor.position].every(isNumber32)),
  );
