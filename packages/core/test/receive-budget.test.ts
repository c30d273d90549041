import { ReceiveBudget } from "../src/mail/index.ts";
import { describe, expect, it } from "vitest";

const takeAll = (budget: ReceiveBudget, lines: number, asked: number, now: number): number => {
  let taken = 0;
  while (taken < lines && budget.take(10, asked, now)) taken++;
  return taken;
};

describe("ReceiveBudget", () => {
  it("accepts the requested bytes of an exchange, and a surplus [S10.4-8]", () => {
    const budget = new ReceiveBudget({ lines: 100, bytes: 1_000_000 });
    budget.begin();
    expect(takeAll(budget, 10_000, 500, 0)).toBe(600);
  });

  it("does not count the surplus of an exchange again in a later second", () => {
    const budget = new ReceiveBudget({ lines: 100, bytes: 1_000_000 });
    budget.begin();
    expect(takeAll(budget, 60, 0, 0)).toBe(60);
    expect(takeAll(budget, 60, 0, 5_000)).toBe(40);
  });

  it("shares the surplus of a second among its exchanges", () => {
    const budget = new ReceiveBudget({ lines: 100, bytes: 1_000_000 });
    budget.begin();
    expect(takeAll(budget, 60, 0, 0)).toBe(60);
    budget.begin();
    expect(takeAll(budget, 60, 0, 999)).toBe(40);
    budget.begin();
    expect(takeAll(budget, 60, 0, 1_000)).toBe(60);
  });

  it("bounds the bytes of the surplus, and not the requested bytes", () => {
    const budget = new ReceiveBudget({ lines: 100, bytes: 25 });
    budget.begin();
    expect(takeAll(budget, 100, 50, 0)).toBe(52);
  });

  it("accepts many long answers in a second, each after unsolicited lines", () => {
    const budget = new ReceiveBudget({ lines: 1_000, bytes: 5_000 });
    for (let exchange = 0; exchange < 50; exchange++) {
      budget.begin();
      expect(takeAll(budget, 5, 1, 0)).toBe(5);
      expect(budget.take(4_000_000, 1, 0)).toBe(true);
    }
  });

  it("returns requested short lines to the budget of a second", () => {
    const budget = new ReceiveBudget({ lines: 100, bytes: 5_000 });
    for (let exchange = 0; exchange < 50; exchange++) {
      budget.begin();
      expect(takeAll(budget, 60, 60, 0)).toBe(60);
    }
    budget.begin();
    expect(takeAll(budget, 100, 0, 0)).toBe(100);
  });

  it("counts lines of up to 1,024 bytes as unsolicited, and longer ones as requested", () => {
    const taken = (bytes: number) => {
      const budget = new ReceiveBudget({ lines: 5, bytes: 1_000_000 });
      budget.begin();
      let lines = 0;
      while (lines < 100 && budget.take(bytes, 3, 0)) lines++;
      return lines;
    };
    // Both kinds have 3 requested lines and 5 more.
    expect([taken(1_024), taken(1_025)]).toEqual([8, 8]);
    const budget = new ReceiveBudget({ lines: 1, bytes: 1_000_000 });
    budget.begin();
    expect(budget.take(1_025, 1, 0)).toBe(true);
    expect([budget.take(10, 1, 0), budget.take(10, 1, 0)]).toEqual([true, false]);
  });

  it("has room for exactly its lines and bytes", () => {
    const bytes = new ReceiveBudget({ lines: 9, bytes: 30 });
    bytes.begin();
    expect([bytes.take(20, 0, 0), bytes.take(11, 0, 0), bytes.take(10, 0, 0), bytes.take(1, 0, 0)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it("is ready before its first exchange begins", () => {
    const none = new ReceiveBudget({ lines: 0, bytes: 0 });
    expect([none.take(2_000, 1, 0), none.take(2_000, 1, 0)]).toEqual([true, false]);
    const budget = new ReceiveBudget({ lines: 100, bytes: 100 });
    expect(budget.take(10, 1, 0)).toBe(true);
    budget.begin();
    expect([budget.take(100, 0, 0), budget.take(1, 0, 0)]).toEqual([true, false]);
  });

  it("has room for 10,000 lines and 4 MiB by default", () => {
    const budget = new ReceiveBudget();
    expect(takeAll(budget, 20_000, 0, 0)).toBe(10_000);
    const bytes = new ReceiveBudget();
    expect([bytes.take((4 << 20) + 1, 0, 0), bytes.take(4 << 20, 0, 0), bytes.take(1, 0, 0)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("returns the bytes of requested short lines to the budget of a second", () => {
    const budget = new ReceiveBudget({ lines: 1_000, bytes: 500 });
    budget.begin();
    expect(takeAll(budget, 40, 15, 0)).toBe(40);
    budget.begin();
    expect(takeAll(budget, 100, 0, 0)).toBe(25);
  });

  it("returns no short lines beyond those that were requested and not sent as long ones", () => {
    const budget = new ReceiveBudget({ lines: 50, bytes: 1_000_000 });
    budget.begin();
    expect([budget.take(2_000, 3, 0), budget.take(2_000, 3, 0)]).toEqual([true, true]);
    expect(takeAll(budget, 30, 3, 0)).toBe(30);
    budget.begin();
    expect(takeAll(budget, 100, 0, 0)).toBe(21);
  });

  it("returns no lines that were requested and did not come", () => {
    const budget = new ReceiveBudget({ lines: 100, bytes: 1_000_000 });
    budget.begin();
    expect(takeAll(budget, 40, 0, 0)).toBe(40);
    budget.begin();
    expect(takeAll(budget, 40, 40, 0)).toBe(40);
    budget.begin();
    expect(takeAll(budget, 1, 40, 0)).toBe(1);
    budget.begin();
    expect(takeAll(budget, 100, 0, 0)).toBe(60);
  });

  it("is not changed by an exchange without a line", () => {
    const budget = new ReceiveBudget({ lines: 100, bytes: 25 });
    budget.begin();
    expect(takeAll(budget, 1, 0, 0)).toBe(1);
    budget.begin();
    budget.begin();
    expect(takeAll(budget, 2, 0, 0)).toBe(1);
  });

  it("returns the average of its short lines for a requested one, up to 1,024 bytes", () => {
    const rest = (bytes: number) => {
      const budget = new ReceiveBudget({ lines: 100, bytes: 1_100 });
      budget.begin();
      expect([budget.take(10, 1, 0), budget.take(bytes, 1, 0)]).toEqual([true, true]);
      budget.begin();
      return [583, 507, 1].map((size) => budget.take(size, 0, 0));
    };
    expect(rest(1_024)).toEqual([true, false, false]);
    expect(rest(1_025)).toEqual([true, true, false]);
  });

  it("does not return the requested lines of an earlier second to the present one", () => {
    const budget = new ReceiveBudget({ lines: 100, bytes: 1_000 });
    budget.begin();
    expect(takeAll(budget, 60, 61, 0)).toBe(60);
    expect(takeAll(budget, 1, 61, 1_000)).toBe(1);
    budget.begin();
    expect(takeAll(budget, 200, 0, 1_000)).toBe(100);
  });

  it("begins another second even if the clock was set back", () => {
    const budget = new ReceiveBudget({ lines: 10, bytes: 1_000 });
    budget.begin();
    expect(takeAll(budget, 10, 0, 5_000)).toBe(10);
    budget.begin();
    expect(takeAll(budget, 10, 0, 5_000)).toBe(0);
    expect(takeAll(budget, 10, 0, 4_999)).toBe(10);
  });
});
