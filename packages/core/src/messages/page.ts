import { DEFAULT_LIMIT, MAX_LIMIT } from "./rules.ts";

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
export const rangeUpTo = (last: number, limit: number): PositionRange => ({
  first: Math.max(1, last - limit + 1),
  last,
});
