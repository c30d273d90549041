import type { Email } from "../emails/email.ts";
import { byArrival } from "../emails/listed-order.ts";

/** A page of a list, in the state in which it was read. */
interface ReadPage {
  readonly emails: ReadonlyArray<Email>;
  readonly total: number;
}

/**
 * Returns the rows of a list of `total` messages, each once, from the pages of `size` that were read, by number.
 * Messages arrive and leave at the top, so a page that was read with another total moves by the difference. The pages
 * in `followed` keep their position until they are read again. Consecutive rows are ordered by arrival.
 */
export const placedRows = (
  pages: ReadonlyMap<number, ReadPage>,
  total: number,
  size: number,
  followed: ReadonlyArray<number>,
): ReadonlyArray<Email | undefined> => {
  const rows = Array.from<Email | undefined>({ length: total });
  const placed = new Set<string>();
  const isEarlier = ([, page]: readonly [number, ReadPage]) => Number(page.total !== total);
  for (const [number, page] of [...pages].toSorted((one, other) => isEarlier(one) - isEarlier(other))) {
    const first = (number - 1) * size + (followed.includes(number) ? 0 : total - page.total);
    for (const [n, email] of page.emails.entries()) {
      const row = first + n;
      if (row < 0 || row >= total || rows[row] !== undefined || placed.has(email.id)) continue;
      placed.add(email.id);
      rows[row] = email;
    }
  }
  for (let start = 0; start < total; start++) {
    const gap = rows.indexOf(undefined, start);
    const end = gap === -1 ? total : gap;
    const run = rows.slice(start, end).filter((row) => row !== undefined);
    for (const [n, email] of byArrival(run).entries()) rows[start + n] = email;
    start = end;
  }
  return rows;
};
