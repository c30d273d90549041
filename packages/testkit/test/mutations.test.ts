import { describe, expect, it } from "vitest";
import { stripTypeScriptTypes } from "node:module";
import { runInNewContext } from "node:vm";
import { recordCalls } from "../../../.config/branches.mjs";
import { mutationsOf } from "../../../.config/mutations.mjs";

const faultsOf = (text: string): Array<string> =>
  mutationsOf("file.ts", text).map(
    ({ start, end, by }: { start: number; end: number; by: string }) => text.slice(0, start) + by + text.slice(end),
  );

describe("the faults that npm run mutants plants", () => {
  it.each([
    ["a bound", "const late = now > due;", "const late = now >= due;"],
    ["a condition", "if (late) stop();", "if (!(late)) stop();"],
    ["a negation", "const free = !taken;", "const free = taken;"],
    ["a number", "const most = 20;", "const most = (20 + 1);"],
    ["a truth", "const own = true;", "const own = false;"],
    ["a statement that is left out", "release(lease);", ";"],
    ["an effect that is left out", "function* f() { yield* release(lease); }", "function* f() { ; }"],
    ["a list", "const all = [one];", "const all = [];"],
    ["a quantifier", "const any = all.some(isDue);", "const any = all.every(isDue);"],
  ])("has %s", (_, text, faulty) => {
    expect(faultsOf(text)).toContain(faulty);
  });

  it.each([
    ["types", 'type Kind = "a" | 1; interface Row { readonly due: 1 }'],
    ["imports", 'import { a } from "a"; export * from "b";'],
    ["log lines", 'const told = Effect.logWarning("late", { after: 1 });'],
    ["whether a log line is written", 'function* f() { yield* Effect.logWarning("late"); }'],
    ["when a log line is written", 'function* f() { if (due < now) yield* Effect.logWarning("late"); }'],
    ["hints", "const ended = Effect.all(ends, { discard: true });"],
    ["methods of every object", "const text = id.toString();"],
    ["texts that are joined", 'const text = "a" + name;'],
  ])("include none in %s", (_, text) => {
    expect(faultsOf(text)).toEqual([]);
  });
});

describe("the record of the branches that a test runs", () => {
  const source = [
    "const add = (one: number) => (other: number): number => one + other;",
    "function never() { return add(1)(2); }",
    "function* count() { yield { n: 1 }; }",
    "const wrap = () => ({ n: add(1)(2) });",
    "if (wrap().n > 2) taken(); else left();",
    "result = [wrap().n === 3 ? wrap() : 0, ...[wrap().n === 4 && 5, wrap().n || 6], ...count()];",
  ].join("\n");

  it("names each function that is called and each side of a condition that is run, and changes no result", () => {
    const calls = new Set<string>();
    const context = { result: undefined as unknown, taken: () => {}, recordCall: (id: string) => calls.add(id) };
    runInNewContext(stripTypeScriptTypes(recordCalls("a.ts", source)), context);
    expect(JSON.stringify(context.result)).toBe('[{"n":3},false,3,{"n":1}]');
    const branches = ["(other: number): number => one", "one + other", "{ yield", "({ n: add", "taken()", "wrap() : 0"];
    expect(calls).toEqual(new Set(branches.map((branch) => `a.ts#${source.indexOf(branch)}`)));
  });
});
