import { Option, Result } from "effect";
import * as Base64Url from "effect/encoding/Base64Url";

/**
 * Where a listing goes on: below this UID (spec 5). UIDs only ever grow, so arrivals and removals neither repeat
 * nor hide a message.
 */
export interface Cursor {
  readonly folderId: string;
  readonly uidValidity: number;
  /** The lowest UID shown so far. */
  readonly uid: number;
  /** The position it was at; it can only have sunk since, so this is where to look first. */
  readonly position: number;
}

const FORM = /^1\.(\d{1,10})\.(\d{1,10})\.(\d{1,10})\.(.+)$/s;
const isNumber32 = (n: number): boolean => n >= 1 && n <= 0xffff_ffff;

/** The cursor as clients carry it. */
export const encodeCursor = ({ folderId, uidValidity, uid, position }: Cursor): string =>
  Base64Url.encode(`1.${uidValidity}.${uid}.${position}.${folderId}`);

/** Reads a cursor back; none where the text is not one of ours. */
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
