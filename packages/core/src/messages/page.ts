import * as Base64Url from "effect/encoding/Base64Url";
import { Effect, Option, Result } from "effect";
import { CursorMalformed } from "./errors.ts";
import { DEFAULT_LIMIT, MAX_LIMIT } from "./listing/rules.ts";
import type { Folder } from "../folders/index.ts";
import type { MailServerError, MessageSummary } from "../mail/index.ts";
import type { FolderId, MailboxKey } from "../shared/neighbours.ts";
import type { MailboxView } from "./ports/MailboxReader.ts";

/**
 * The point where a listing continues: below this UID (spec 5). UIDs only grow, so arrivals and removals neither repeat
 * nor skip messages.
 */
export interface Cursor {
  readonly folderId: FolderId;
  /** The mailbox of the folder. If the folder's role moves to another mailbox, the cursor is no longer valid. */
  readonly key: MailboxKey;
  /** The UIDVALIDITY; 0 for the start of a folder that the listing has not reached. */
  readonly uidValidity: number;
  /** The lowest UID shown so far. */
  readonly uid: number;
  /** The position that this UID had. The position can only have decreased since, so the search starts here. */
  readonly position: number;
}

const FORM = /^1\.(\d{1,10})\.(\d{1,10})\.(\d{1,10})\.(.+)$/s;
/** The form of a cursor with the key of the mailbox, which differs from the folder's id. */
const KEYED_FORM = /^2\.(\d{1,10})\.(\d{1,10})\.(\d{1,10})\.([^ ]+) (.+)$/s;
const isNumber32 = (n: number): boolean => n >= 1 && n <= 0xffff_ffff;

/** Encodes a cursor for clients. */
export const encodeCursor = ({ folderId, key, uidValidity, uid, position }: Cursor): string =>
  Base64Url.encode(
    key === `${folderId}`
      ? `1.${uidValidity}.${uid}.${position}.${folderId}`
      : `2.${uidValidity}.${uid}.${position}.${folderId} ${key}`,
  );

/** Decodes a cursor; none if the text is not a cursor. */
export const decodeCursor = (text: string): Option.Option<Cursor> =>
  Result.getSuccess(Base64Url.decodeString(text)).pipe(
    Option.flatMapNullishOr((plain) => FORM.exec(plain) ?? KEYED_FORM.exec(plain)),
    Option.map(([, uidValidity, uid, position, folderId, key = folderId]) => ({
      folderId: folderId!,
      key: key!,
      uidValidity: Number(uidValidity),
      uid: Number(uid),
      position: Number(position),
    })),
    Option.filter(({ uidValidity, uid, position }) => [uidValidity || 1, uid, position].every(isNumber32)),
  );

/** Decodes the cursor of a request. */
export const readCursor = (text: string): Effect.Effect<Cursor, CursorMalformed> =>
  Option.match(decodeCursor(text), { onNone: () => new CursorMalformed(), onSome: Effect.succeed });

/** The UIDVALIDITY of a cursor before the newest message of its folder. No mailbox has this value (RFC 9051, 9). */
export const NO_UIDVALIDITY = 0;

/** Returns the cursor before all messages of a folder. */
export const startOf = ({ id, key }: Pick<Folder, "id" | "key">): Cursor => ({
  folderId: id,
  key,
  uidValidity: NO_UIDVALIDITY,
  uid: 1,
  position: 1,
});

/** Returns the page size for a requested limit. */
export const clampLimit = (limit: number | undefined): number => Math.min(limit ?? DEFAULT_LIMIT, MAX_LIMIT);

/** Returns the number of pages of a folder. */
export const pageCount = (total: number, limit: number): number => Math.ceil(total / limit);

export interface PositionRange {
  readonly first: number;
  readonly last: number;
}

/** Returns the positions of a page, counted from the newest message; empty (`last` 0) beyond the last page. */
export const pageRange = (total: number, page: number, limit: number): PositionRange =>
  rangeUpTo(Math.max(0, total - (page - 1) * limit), limit);

/** Returns at most `limit` positions, ending at `last`. */
const rangeUpTo = (last: number, limit: number): PositionRange => ({
  first: Math.max(1, last - limit + 1),
  last,
});

export interface Collected {
  /** The messages, newest first. */
  readonly messages: ReadonlyArray<MessageSummary>;
  /** A position at or above the last message's, with all older messages below it. 1 if no older message is left. */
  readonly position: number;
}

/** Returns the newest `limit` messages of a view that are below `belowUid`. All of them must be at or below `position`. */
export const collect = (
  view: MailboxView,
  position: number,
  belowUid: number,
  limit: number,
): Effect.Effect<Collected, MailServerError> =>
  Effect.gen(function* () {
    const messages: Array<MessageSummary> = [];
    let last = Math.min(position, view.total);
    let reached = 1;
    while (last >= 1 && messages.length < limit) {
      const range = rangeUpTo(last, limit - messages.length);
      const present = yield* view.messages(range.first, range.last);
      const wanted = present.filter((message) => message.uid < belowUid);
      messages.push(...wanted.toReversed());
      // The positions of removed messages are empty, so the oldest present message is at or below this position.
      reached = last - present.length + 1;
      last =
        present.length > 0 && wanted.length === 0
          ? Math.min(range.first - 1, yield* view.positionBelow(belowUid))
          : range.first - 1;
    }
    return { messages, position: last < 1 ? 1 : reached };
  });
