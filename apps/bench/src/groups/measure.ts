import type { Bench, Report } from "./group.ts";
import { medianRatio, medianRun, type Run } from "../figures/statistics.ts";
import { type Row, tableOf } from "../figures/table.ts";

/** An operation to measure at several numbers of connections, with its floor: the fastest possible implementation. */
export interface Operation {
  readonly name: string;
  readonly floor: string;
  readonly ours: (connections: number) => Promise<Run>;
  readonly beside: (connections: number) => Promise<Run>;
  /** Whether the operation is measured only at one connection. */
  readonly alone?: boolean;
}

/** Measures both sides in alternation, so that a machine that slows down affects both equally. */
const measure = async (
  { name, floor, ours, beside }: Operation,
  connections: number,
  repeats: number,
): Promise<Row> => {
  const runs: { readonly ours: Array<Run>; readonly beside: Array<Run> } = { ours: [], beside: [] };
  for (let n = 0; n < repeats; n++) {
    if (n % 2 === 0) runs.ours.push(await ours(connections));
    runs.beside.push(await beside(connections));
    if (n % 2 === 1) runs.ours.push(await ours(connections));
  }
  return {
    operation: name,
    connections,
    floor,
    ours: medianRun(runs.ours),
    beside: medianRun(runs.beside),
    ratio: medianRatio(runs.ours, runs.beside),
  };
};

/** Returns the table of the selected operations. */
export const measureAll = async (
  { plan, wants, say }: Bench,
  operations: ReadonlyArray<Operation>,
): Promise<Report> => {
  const rows: Array<Row> = [];
  for (const operation of operations.filter(({ name }) => wants(name))) {
    for (const connections of operation.alone === true ? [1] : plan.connections) {
      const row = await measure(operation, connections, plan.repeats);
      rows.push(row);
      const rate = row.ours.perSecond.toFixed(0);
      say(`${row.operation} at ${connections}: ${rate}/s, ${row.ratio.toFixed(2)} × ${row.floor}`);
    }
  }
  return { text: tableOf(rows), lines: rows };
};
