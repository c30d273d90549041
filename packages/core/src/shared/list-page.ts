import { Effect } from "effect";
import { checkerOf } from "./checker-of.ts";
import type { InputInvalid } from "./InputInvalid.ts";
import { MAX_PAGE_ENTRIES, pageFields } from "./rules.ts";

/** The location of an entry in a list that is sorted by `at`, then by id. */
export interface ListPlace {
  readonly at: number;
  readonly id: string;
}

/** A client's request for a page: at most `limit` entries after the page whose `nextCursor` is `cursor`. */
export interface PageRequest {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** A page of a list. If entries are added or removed meanwhile, no other entry is repeated or skipped (spec 2.8). */
export interface Page<A> {
  readonly items: ReadonlyArray<A>;
  /** The `cursor` of the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/** Checks the requested page, before a slow list is read. */
export const checkPage = checkerOf(pageFields);

const placeIn = (cursor: string): ListPlace => {
  const dot = cursor.indexOf(".");
  return { at: Number(cursor.slice(0, dot)), id: cursor.slice(dot + 1) };
};

/** Returns a page of the entries that `read` returns: up to `limit` entries after a location, or from the start. */
export const readPage = Effect.fnUntraced(function* <A, E>(
  request: PageRequest,
  placeOf: (item: A) => ListPlace,
  read: (after: ListPlace | undefined, limit: number) => Effect.Effect<ReadonlyArray<A>, E>,
): Effect.fn.Return<Page<A>, E | InputInvalid> {
  yield* checkPage({ cursor: request.cursor, limit: request.limit });
  const limit = request.limit ?? MAX_PAGE_ENTRIES;
  const found = yield* read(request.cursor === undefined ? undefined : placeIn(request.cursor), limit + 1);
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  const place = last === undefined ? undefined : placeOf(last);
  return { items, nextCursor: place === undefined ? null : `${place.at}.${place.id}` };
});

const compare = (one: ListPlace, other: ListPlace): number =>
  one.at - other.at || (one.id < other.id ? -1 : Number(one.id > other.id));

/** Returns a page of a short list that is already in memory. */
export const pageOf = <A>(
  request: PageRequest,
  all: ReadonlyArray<A>,
  placeOf: (item: A) => ListPlace,
): Effect.Effect<Page<A>, InputInvalid> =>
  readPage(request, placeOf, (after, limit) =>
    Effect.succeed(
      all
        .filter((item) => after === undefined || compare(placeOf(item), after) > 0)
        .toSorted((one, other) => compare(placeOf(one), placeOf(other)))
        .slice(0, limit),
    ),
  );
