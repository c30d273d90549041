/** Page sizes of spec 5.1: above the most, a page is clamped to it and says so. */
export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 200;

/** The highest page number that is a request and not a mistake. */
export const MAX_PAGE = 2 ** 31 - 1;

/** How many messages a page holds when a client asks for this many. */
export const clampLimit = (limit: number | undefined): number => Math.min(limit ?? DEFAULT_LIMIT, MAX_LIMIT);

/** How many pages a folder has. */
export const pageCount = (total: number, limit: number): number => Math.ceil(total / limit);

export interface PositionRange {
  readonly first: number;
  readonly last: number;
}

/** The positions of a page counted from the newest message; empty (`last` 0) beyond the last page. */
export const pageRange = (total: number, page: number, limit: number): PositionRange =>
  rangeUpTo(Math.max(0, total - (page - 1) * limit), limit);

/** At most `limit` positions, the highest of them `last`. */
export const rangeUpTo = (last: number, limit: number): PositionRange => ({
  first: Math.max(1, last - limit + 1),
  last,
});
