import { useQueries } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { type Email, type EmailSource, PAGE_SIZE, pageQuery, pagesRead } from "./emails.ts";
import { byArrival } from "./listed-order.ts";

/** The rows of a list, of which some were read. */
export interface Listing {
  /** By position; undefined where the page was not read yet. */
  readonly rows: ReadonlyArray<Email | undefined>;
  readonly isPending: boolean;
  /** The error of the pages in view, or null. */
  readonly error: unknown;
  readonly readAgain: () => void;
  /** Reads the pages with these rows, and keeps them current until others are shown. */
  readonly show: (first: number, last: number) => void;
}

/** Rows that are read before they come into view. */
const AHEAD = 30;

const pageOf = (row: number): number => Math.floor(Math.max(0, row) / PAGE_SIZE) + 1;

/** Lists the messages of a source, latest arrival first. Only the pages in view are read, and read again. */
export const useListing = (source: EmailSource): Listing => {
  const [[first, last], setShown] = useState<readonly [number, number]>([1, 1]);
  const results = useQueries({
    queries: Array.from({ length: last - first + 1 }, (_, n) => pageQuery(source, first + n)),
  });
  const newest = results.reduce((one, other) => (other.dataUpdatedAt > one.dataUpdatedAt ? other : one));
  const total = newest.data?.total ?? [...pagesRead(source).values()][0]?.total ?? 0;
  const version = useVersion(results.map(({ data }) => data));
  // The cached pages are looked at again when those in view change.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const rows = useMemo(() => rowsOf(source, total), [source, total, version]);
  return {
    rows,
    isPending: results[0]!.isPending && rows.length === 0,
    error: results.find(({ isError }) => isError)?.error ?? null,
    readAgain: () => void Promise.all(results.filter(({ isError }) => isError).map(({ refetch }) => refetch())),
    show: (from, to) => {
      const end = Math.max(1, pageOf(total - 1));
      const wanted = [Math.min(pageOf(from - AHEAD), end), Math.min(pageOf(to + AHEAD), end)] as const;
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

/** Returns the rows that were read, in their places, each message once; runs of them are ordered by arrival. */
const rowsOf = (source: EmailSource, total: number): ReadonlyArray<Email | undefined> => {
  const rows = Array.from<Email | undefined>({ length: total });
  const seen = new Set<string>();
  let run: Array<Email> = [];
  let start = 0;
  const place = (): void => {
    for (const [n, email] of byArrival(run).entries()) rows[start + n] = email;
    run = [];
  };
  for (const [number, { emails }] of pagesRead(source)) {
    const at = (number - 1) * PAGE_SIZE;
    if (at !== start + run.length) {
      place();
      start = at;
    }
    for (const email of emails) {
      if (seen.has(email.id) || start + run.length >= total) continue;
      seen.add(email.id);
      run.push(email);
    }
  }
  place();
  return rows;
};
