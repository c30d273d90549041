/** The size of one account's log, for all nodes together; the newest lines are kept. */
export const LOG_BOUNDS = { bytes: 1 << 20, lines: 10_000 } as const;
/** The size of a node's buffer for one account's conversation, until the next write. */
export const UNWRITTEN_BOUNDS = { bytes: 1 << 18, lines: 2_000 } as const;
/** The maximum length of a line. */
const MAX_CHARS = 1_000;
/** The length of the timestamp at the start of a line. */
export const INSTANT_CHARS = 24;

export interface LineBounds {
  readonly bytes: number;
  readonly lines: number;
}

/** Returns a text as one printable line of bounded length. */
export const printableLine = (text: string): string => {
  const plain = text.replaceAll(/\p{C}/gu, "?");
  return plain.length <= MAX_CHARS ? plain : `${plain.slice(0, MAX_CHARS)} <${plain.length - MAX_CHARS} more>`;
};

interface Sized {
  readonly bytes: number;
  readonly lines: number;
}

/** Returns the oldest batches, which exceed the bounds. The input is ordered newest first, and the newest batch is always kept. */
export const findExcess = <A extends Sized>(newestFirst: ReadonlyArray<A>, bounds: LineBounds): ReadonlyArray<A> => {
  const sum = { bytes: 0, lines: 0 };
  const last = newestFirst.findIndex((batch, n) => {
    sum.bytes += batch.bytes;
    sum.lines += batch.lines;
    return n > 0 && (sum.bytes > bounds.bytes || sum.lines > bounds.lines);
  });
  return last === -1 ? [] : newestFirst.slice(last);
};

/** Returns the lines of all nodes sorted by time; lines with the same time keep their order. */
export const sortLines = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines
    .map((line) => ({ at: line.slice(0, INSTANT_CHARS), line }))
    .toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
    .map(({ line }) => line);
