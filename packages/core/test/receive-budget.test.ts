import { ReceiveBudget } from "../src/mail/index.ts";
import { describe, expect, it } from "vitest";

const takeAll = (budget: ReceiveBudget, lines: number, asked: number, now: number): number => {
  let taken = 0;
  while (taken < lines && budget.take(10, asked, now)) taken++;
  return taken;
};

describe("ReceiveBudget", () => {
  it("takes what an exchange asks for, and a surplus [S10.4-8]", () => {
    const budget = new ReceiveBudget({ lines: 100, bytes: 1_000_000 });
    budget.begin();
    expect(takeAll(budget, 10_000, 500, 0)).toBe(600);
  });

  it("does not take the surplus of an exchange again in a later second", () => {
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

  it("bounds the bytes of the surplus, and not of what was asked for", () => {
    const budget = new ReceiveBudget({ lines: 100, bytes: 25 });
    budget.begin();
    expect(takeAll(budget, 100, 50, 0)).toBe(52);
  });

  it("takes many long answers in a second, each after news", () => {
    const budget = new ReceiveBudget({ lines: 1_000, bytes: 5_000 });
    for (let exchange = 0; exchange < 50; exchange++) {
      budget.begin();
      expect(takeAll(budget, 5, 1, 0)).toBe(5);
      expect(budget.take(4_000_000, 1, 0)).toBe(true);
    }
  });

  it("gives back to a second what was asked for in short lines", () => {
    const budget = new ReceiveBudget({ lines: 100, bytes: 5_000 });
    for (let exchange = 0; exchange < 50; exchange++) {
      budget.begin();
      expect(takeAll(budget, 60, 60, 0)).toBe(60);
    }
    budget.begin();
    expect(takeAll(budget, 100, 0, 0)).toBe(100);
  });
});
