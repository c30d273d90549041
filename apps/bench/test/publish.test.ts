import { describe, expect, it } from "vitest";
import { chart } from "../src/chart.ts";
import { isPublished, isRow, publishedFigures } from "../src/published-figures.ts";
import { withFigures } from "../src/publish.ts";
import type { Row } from "../src/figures/table.ts";

const row = (operation: string, connections: number, floor: string, ratio: number): Row => ({
  operation,
  connections,
  floor,
  ours: { perSecond: 100 * ratio, p50: 1, p99: 2, cpu: 0.5 },
  beside: { perSecond: 100, p50: 1, p99: 2, cpu: Number.NaN },
  ratio,
});
const ROWS = [
  row("page, cold", 1, "imapflow", 1.5),
  row("page, cold", 8, "imapflow", 2),
  row("page, cold", 8, "raw IMAP", 0.25),
  row("page, changed by one", 1, "imapflow", 3),
  row("page, unchanged", 8, "imapflow", 40.4),
  row("folders (45)", 8, "imapflow", 5),
  row("cursor, 10k", 8, "imapflow", 1),
];
const distant = (roundTripMillis: number, roundTrips: number | null) => ({
  operation: "flag, distant",
  roundTripMillis,
  p50: roundTripMillis * (roundTrips ?? 0) + 4,
  p99: 999,
  roundTrips,
});
const SLOW = ROWS.map((one, n) => ({ ...one, ours: { ...one.ours, loopDelay: 10 + n / 2 } }));
const DISTANT = [distant(0, null), distant(40, 2.25), distant(100, 2.14)];
const ARRIVALS = [
  {
    operation: "arrivals, a burst of 200",
    mails: 200,
    floor: [500, 510],
    live: [520, 600],
    webhook: [530.6, 700],
    above: [20, 30.6],
    afterLast: [90, 190],
  },
];
const MEMORY = { operation: "memory after the load", atOnce: 321, aMinuteLater: 123 };
const RUN = { date: "2026-01-02", cores: "2 cores", node: "24.0.0", loads: [0.25, 1.9], isQuick: true } as const;

describe("published figures", () => {
  it("have a column for each state of a page, and a row for everything else that is published", () => {
    expect(publishedFigures([...SLOW, ...DISTANT, ...ARRIVALS, MEMORY, { unpublished: 1 }], RUN).split("\n")).toEqual([
      "Measured on 2026-01-02: 2 cores, Node 24.0.0, load average 0.3 before and 1.9 after, a coarse run.",
      "",
      "| page of 50, beside imapflow | cold | changed by one | unchanged |",
      "| --- | ---: | ---: | ---: |",
      "| at 1 | 1.50 × (150/s, 0.50 ms) | 3.00 × (300/s, 0.50 ms) |  |",
      "| at 8 | 2.00 × (200/s, 0.50 ms) |  | 40 × (4,040/s, 0.50 ms) |",
      "",
      "| operation | at | Postern | beside | its rate | ratio |",
      "| --- | ---: | ---: | ---: | ---: | ---: |",
      "| page, cold | 8 | 25/s, 0.50 ms | raw IMAP | 100/s | 0.25 |",
      "| folders (45) | 8 | 500/s, 0.50 ms | imapflow | 100/s | 5.00 |",
      "",
      "Delay of the event loop, the 99th percentile of a run: at most 13 ms (cursor, 10k at 8).",
      "",
      "| milliseconds, or round trips to a mail server | 0 ms away | 40 ms away | 100 ms away |",
      "| --- | ---: | ---: | ---: |",
      "| flag | 4 ms | 2.3 | 2.1 |",
      "",
      "| milliseconds after IDLE | event p50 | webhook p50 | last event | last webhook |",
      "| --- | ---: | ---: | ---: | ---: |",
      "| arrivals, a burst of 200 | 20 | 31 | 90 | 190 |",
      "",
      "Memory of the process after the load of folders, sign-ins and token checks: 321 MiB; a minute later: 123 MiB.",
    ]);
    expect(isPublished("cursor, 10k")).toBe(false);
    expect(ROWS.every(isRow)).toBe(true);
    expect(isRow(MEMORY)).toBe(false);
  });

  it("replace only the figures between the marks", () => {
    const page = (figures: string) =>
      `# Title\n\n<!-- figures: written by npm run bench -- --publish -->\n\n${figures}\n\n<!-- end of figures -->\n\nRest.\n`;
    expect(withFigures(page("old\n\ntext"), "new")).toBe(page("new"));
    expect(() => withFigures("# Title\n", "new")).toThrow("lost the marks");
  });

  it("are drawn with longer bars for higher rates", () => {
    const drawn = chart([row("a < b", 8, "imapflow", 10)]);
    const widths = [...drawn.matchAll(/<rect x="300" y="\d+" width="(\d+)"/g)].map(([, width]) => Number(width));
    expect(widths).toHaveLength(2);
    expect(widths[0]).toBeGreaterThan(widths[1]!);
    expect(drawn).toContain("a &lt; b, at 8");
  });
});
