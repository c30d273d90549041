import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { chart } from "./chart.ts";
import { isRow, publishedFigures } from "./published-figures.ts";

const DOCS = join(import.meta.dirname, "../../../docs");
const [BEGIN, END] = ["<!-- figures: written by npm run bench -- --publish -->", "<!-- end of figures -->"];

const IMAGE = "![Rates per second beside those of the libraries](images/benchmarks.svg)";

/** Returns a page with the text between its marks replaced. */
export const withFigures = (page: string, figures: string): string => {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error("docs/benchmarks.md has lost the marks around its figures");
  return `${page.slice(0, begin + BEGIN.length)}\n\n${figures}\n\n${page.slice(end)}`;
};

/** Writes the figures of a run into `docs/benchmarks.md`, and their chart beside it. */
export const publish = (
  lines: ReadonlyArray<object>,
  { load, isQuick }: { readonly load: number; readonly isQuick: boolean },
): void => {
  const [{ model } = { model: "" }] = cpus();
  const figures = publishedFigures(lines, {
    date: new Date().toISOString().slice(0, 10),
    cores: `${cpus().length} cores${model === "" || model === "unknown" ? "" : ` (${model.trim()})`}`,
    node: process.versions.node,
    loads: [load, loadavg()[0]!],
    isQuick,
  });
  const path = join(DOCS, "benchmarks.md");
  writeFileSync(path, withFigures(readFileSync(path, "utf8"), `${figures}\n\n${IMAGE}`));
  const rows = lines.filter(isRow);
  const most = Math.max(...rows.map(({ connections }) => connections).filter((at) => at <= 32));
  writeFileSync(
    join(DOCS, "images/benchmarks.svg"),
    chart(rows.filter(({ operation, connections }) => connections === most || operation.includes("changed"))),
  );
};
