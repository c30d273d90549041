import { describe, expect, it } from "vitest";
import { median, medianRatio, medianRun, percentile } from "../src/figures/statistics.ts";

describe("statistics", () => {
  it("returns percentiles without changing the input", () => {
    const numbers = Object.freeze([5, 1, 4, 2, 3]);
    expect([percentile(numbers, 0), median(numbers), percentile(numbers, 0.99)]).toEqual([1, 3, 5]);
    expect(median([])).toBeNaN();
  });

  it("returns the median run, not the best", () => {
    const run = (perSecond: number, cpu: number) => ({ perSecond, p50: 1, p99: 2, cpu });
    expect(medianRun([run(300, 1), run(100, 3), run(200, 2)])).toEqual(run(200, 2));
    expect(() => medianRun([])).toThrow("no runs");
  });

  it("compares consecutive runs", () => {
    const runs = (...rates: ReadonlyArray<number>) => rates.map((perSecond) => ({ perSecond, p50: 1, p99: 2 }));
    expect(medianRatio(runs(100, 50, 10), runs(200, 50, 1))).toBe(1);
  });
});
