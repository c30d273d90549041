import { describe, expect, it } from "vitest";
import { readCorpus, type Reading, tableOf } from "./bounce-corpus.ts";

const readings = await readCorpus();
const setApart = readings.filter((one) => one.isSetApart);
const tuning = readings.filter((one) => !one.isSetApart);
const isReport = ({ expected }: Reading) => expected.kind !== "none";
const misread = (some: ReadonlyArray<Reading>) =>
  some
    .filter(({ mistakes }) => mistakes.length > 0)
    .map(({ family, name, mistakes }) => `${family}/${name}: ${mistakes.join(", ")}`);

describe("bounce corpus", () => {
  it("is large and varied enough", () => {
    expect(readings.filter(isReport).length).toBeGreaterThanOrEqual(150);
    expect(readings.filter((one) => !isReport(one)).length).toBeGreaterThanOrEqual(60);
    expect(new Set(readings.map(({ family }) => family)).size).toBeGreaterThanOrEqual(25);
    expect(setApart.length).toBeGreaterThan(readings.length / 4);
  });

  it("is classified without a mistake in the part that rules are tuned on", () => {
    console.log(`tuning part\n${tableOf(tuning)}`);
    expect(misread(tuning)).toEqual([]);
  });

  it("is classified with 95 % recall in the held-out part, without false reports and with the right recipients", () => {
    console.log(`set apart\n${tableOf(setApart)}`);
    const reports = setApart.filter(isReport);
    const recalled = reports.filter(({ mistakes }) => !mistakes.includes("kind") && !mistakes.includes("candidate"));
    expect(recalled.length / reports.length).toBeGreaterThanOrEqual(0.95);
    expect(setApart.filter(({ expected, report }) => expected.kind === "none" && report.kind !== "none")).toEqual([]);
    expect(misread(recalled.filter(({ mistakes }) => mistakes.includes("recipients")))).toEqual([]);
    expect(recalled.filter(({ mistakes }) => mistakes.includes("status")).length / reports.length).toBeLessThanOrEqual(
      0.05,
    );
  });
});
