import { useQueries } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { type Email, type EmailSource, PAGE_SIZE, pageQuery, pagesRead, totalRead } from "../emails/emails.ts";
import { placedRows } from "./placed-rows.ts";

/** The rows of a list, some of which are loaded. */
export interface Listing {
  /** The messages by position; undefined if the page was not read yet. */
  readonly rows: ReadonlyArray<Email | undefined>;
  readonly isPending: boolean;
  /** The error of the pages in view, or null. */
  readonly error: unknown;
  readonly retry: () => void;
  /** Reads the pages from one row to another, and keeps them current until other rows are shown. */
  readonly show: (one: number, other: number) => void;
}

/** The number of rows that are read before rendering: so few that opening a list reads one page. */
const ROWS_AHEAD = 20;

const pageOf = (row: number): number => Math.floor(Math.max(0, row) / PAGE_SIZE) + 1;

/** Lists the messages of a source, latest arrival first. Only the pages in view are read and refetched. */
export const useListing = (source: EmailSource): Listing => {
  const [[first, last], setShown] = useState<readonly [number, number]>([1, 1]);
  const results = useQueries({
    queries: Array.from({ length: last - first + 1 }, (_, n) => pageQuery(source, first + n)),
  });
  const total = totalRead(source);
  const version = useVersion(results.map(({ data }) => data));
  // A cached page that has just come into view may be out of date.
  const followed = results.flatMap(({ isFetchedAfterMount }, n) => (isFetchedAfterMount ? [first + n] : []));
  const follows = followed.join();
  // The cached pages are checked again when the pages in view change.
  const rows = useMemo(
    () => placedRows(pagesRead(source), total, PAGE_SIZE, followed),
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [source, total, version, follows],
  );
  return {
    rows,
    isPending: results[0]!.isPending && rows.length === 0,
    error: results.find(({ isError }) => isError)?.error ?? null,
    retry: () => void Promise.all(results.filter(({ isError }) => isError).map(({ refetch }) => refetch())),
    show: (one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      const end = Math.max(1, pageOf(total - 1));
      const wanted = [Math.min(pageOf(from - ROWS_AHEAD), end), Math.min(pageOf(to + ROWS_AHEAD), end)] as const;
      if (wanted[0] !== first || wanted[1] !== last) setShown(wanted);
    },
  };
};

/** Returns a number that changes with any of these values. */
const useVersion = (values: ReadonlyArray<unknown>): number => {
  const last = useRef({ values, version: 0 });
  const isSame =
    values.length === last.current.values.length && values.every((value, n) => value === last.current.values[n]);
  if (!isSame) last.current = { values, version: last.current.version + 1 };
  return last.current.version;
};
