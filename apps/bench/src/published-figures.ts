import { type ArrivalRow, PACES } from "./groups/arrivals.ts";
import { STATES } from "./groups/pages.ts";
import { MEMORY, type MemoryRow } from "./groups/reading.ts";
import { DISTANT, type DistantRow } from "./groups/round-trips.ts";
import type { Row } from "./figures/table.ts";

/** The circumstances of a run; load averages over a minute. */
export interface Circumstances {
  readonly date: string;
  readonly cores: string;
  readonly node: string;
  readonly loads: readonly [before: number, after: number];
  /** Whether the figures are those of a coarse run. */
  readonly isQuick: boolean;
}

const COLUMNS = [
  [STATES.cold, "cold"],
  [STATES.changed, "changed by one"],
  [STATES.unchanged, "unchanged"],
  [STATES.watched, "unchanged, `max-age=5`"],
] as const;
const STATE_NAMES = new Set<string>(Object.values(STATES));
const OTHER_ROWS = new Set([
  "folders (45)",
  "folders, beside EmailEngine",
  "sign-in",
  "token check",
  "send, accepted",
  "send, delivered",
  "send, copied to Sent",
  "webhooks, SQLite",
  "webhooks, Postgres",
  ...DISTANT,
  ...PACES,
  MEMORY,
]);

export const isPublished = (row: string): boolean => STATE_NAMES.has(row) || OTHER_ROWS.has(row);

export const isRow = (line: object): line is Row => "ratio" in line && "beside" in line;

export const isDistantRow = (line: object): line is DistantRow => "roundTrips" in line;

const isMemoryRow = (line: object): line is MemoryRow => "aMinuteLater" in line;
const isArrivalRow = (line: object): line is ArrivalRow => "afterLast" in line;

/**
 * Returns the tables of a run in Markdown: pages by kind of change, then all other rows, round trips, arrivals, and
 * memory.
 */
export const publishedFigures = (
  lines: ReadonlyArray<object>,
  { date, cores, node, loads, isQuick }: Circumstances,
) => {
  const [rows, distant] = [lines.filter(isRow), lines.filter(isDistantRow)];
  const pages = rows.filter(({ operation, floor }) => STATE_NAMES.has(operation) && floor === "imapflow");
  const others = rows.filter((row) => isPublished(row.operation) && !pages.includes(row));
  const arrivals = lines.filter(isArrivalRow);
  const [before, after] = loads.map((load) => load.toFixed(1));
  return [
    `Measured on ${date}: ${cores}, Node ${node}, load average ${before} before and ${after} after${isQuick ? ", a coarse run" : ""}.`,
    ...(pages.length === 0 ? [] : [pageTable(pages)]),
    ...(others.length === 0 ? [] : [otherTable(others)]),
    ...delaysOf(rows),
    ...(distant.length === 0 ? [] : [distantTable(distant)]),
    ...(arrivals.length === 0 ? [] : [arrivalTable(arrivals)]),
    ...lines
      .filter(isMemoryRow)
      .map(
        ({ atOnce, aMinuteLater }) =>
          `Memory of the process after the load of folders, sign-ins and token checks: ${atOnce} MiB; a minute later: ${aMinuteLater} MiB.`,
      ),
  ].join("\n\n");
};

/** Returns a sentence on the delay of the event loop in the rows whose process was measured. */
const delaysOf = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const measured = rows.filter(({ ours }) => ours.loopDelay !== undefined);
  const [worst] = measured.toSorted((one, other) => other.ours.loopDelay! - one.ours.loopDelay!);
  if (worst === undefined) return [];
  const { operation, connections, ours } = worst;
  return [
    `Delay of the event loop, the 99th percentile of a run: at most ${ours.loopDelay!.toFixed(0)} ms (${operation} at ${connections}).`,
  ];
};

const pageTable = (pages: ReadonlyArray<Row>): string => {
  const columns = COLUMNS.filter(([operation]) => pages.some((row) => row.operation === operation));
  const cell = (operation: string, connections: number) => {
    const row = pages.find((one) => one.operation === operation && one.connections === connections);
    return row === undefined ? "" : `${factor(row.ratio)} × (${rate(row.ours.perSecond)}${cpu(row.ours.cpu)})`;
  };
  return markdown(
    ["page of 50, beside imapflow", ...columns.map(([, title]) => title)],
    [...new Set(pages.map(({ connections }) => connections))]
      .toSorted((a, b) => a - b)
      .map((at) => [`at ${at}`, ...columns.map(([operation]) => cell(operation, at))]),
  );
};

const otherTable = (rows: ReadonlyArray<Row>): string =>
  markdown(
    ["operation", "at", "Postern", "beside", "its rate", "ratio"],
    rows.map(({ operation, connections, floor, ours, beside, ratio }) => [
      operation,
      String(connections),
      `${rate(ours.perSecond)}${cpu(ours.cpu)}`,
      floor,
      `${rate(beside.perSecond)}${cpu(beside.cpu)}`,
      factor(ratio),
    ]),
  );

const distantTable = (rows: ReadonlyArray<DistantRow>): string => {
  const distances = [...new Set(rows.map(({ roundTripMillis }) => roundTripMillis))];
  const cell = (operation: string, distance: number) => {
    const row = rows.find((one) => one.operation === operation && one.roundTripMillis === distance);
    return row === undefined ? "" : (row.roundTrips?.toFixed(1) ?? `${row.p50.toFixed(0)} ms`);
  };
  return markdown(
    ["milliseconds, or round trips to a mail server", ...distances.map((millis) => `${millis} ms away`)],
    [...new Set(rows.map(({ operation }) => operation))].map((operation) => [
      operation.replace(/, distant$/, ""),
      ...distances.map((distance) => cell(operation, distance)),
    ]),
  );
};

const arrivalTable = (rows: ReadonlyArray<ArrivalRow>): string =>
  markdown(
    ["milliseconds after IDLE", "event p50", "webhook p50", "last event", "last webhook"],
    rows.map(({ operation, above, afterLast }) => [
      operation,
      ...[...above, ...afterLast].map((millis) => millis.toFixed(0)),
    ]),
  );

const markdown = (columns: ReadonlyArray<string>, cells: ReadonlyArray<ReadonlyArray<string>>): string =>
  [columns, columns.map((_, n) => (n === 0 ? "---" : "---:")), ...cells]
    .map((line) => `| ${line.join(" | ")} |`)
    .join("\n");

const factor = (ratio: number): string => (ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2));
const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString("en")}/s`;
const cpu = (millis: number | undefined): string =>
  millis === undefined || Number.isNaN(millis) ? "" : `, ${millis.toFixed(2)} ms`;
