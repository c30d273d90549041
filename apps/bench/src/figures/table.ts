import type { Run } from "./statistics.ts";

/** An operation at one number of connections, compared with its floor: the fastest possible implementation. */
export interface Row {
  readonly operation: string;
  readonly connections: number;
  readonly floor: string;
  readonly ours: Run;
  readonly beside: Run;
  /** Our rate divided by that of the floor. */
  readonly ratio: number;
}

const COLUMNS = [
  "operation",
  "conns",
  "req/s",
  "p50 ms",
  "p99 ms",
  "CPU ms",
  "loop ms",
  "floor",
  "floor req/s",
  "floor CPU ms",
  "ratio",
];

/** Returns the table as text, ratios last. */
export const tableOf = (rows: ReadonlyArray<Row>): string => {
  const cells = rows.map((row) => [
    row.operation,
    String(row.connections),
    number(row.ours.perSecond),
    number(row.ours.p50),
    number(row.ours.p99),
    number(row.ours.cpu),
    number(row.ours.loopDelay),
    row.floor,
    number(row.beside.perSecond),
    number(row.beside.cpu),
    row.ratio.toFixed(2),
  ]);
  return textTable(COLUMNS, cells, [0, 7]);
};

/** Returns rows of texts as columns; those in `left` are aligned left. */
export const textTable = (
  columns: ReadonlyArray<string>,
  cells: ReadonlyArray<ReadonlyArray<string>>,
  left: ReadonlyArray<number> = [0],
): string => {
  const widths = columns.map((column, n) => Math.max(column.length, ...cells.map((line) => line[n]!.length)));
  const line = (texts: ReadonlyArray<string>) =>
    `| ${texts.map((text, n) => (left.includes(n) ? text.padEnd(widths[n]!) : text.padStart(widths[n]!))).join(" | ")} |`;
  const rule = `| ${widths.map((width, n) => (left.includes(n) ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [line(columns), rule, ...cells.map(line)].join("\n");
};

const number = (value: number | undefined): string =>
  value === undefined || Number.isNaN(value)
    ? ""
    : value >= 100
      ? value.toFixed(0)
      : value >= 10
        ? value.toFixed(1)
        : value.toFixed(2);
