import { appendFileSync } from "node:fs";
import { afterAll, beforeAll, expect } from "vitest";

/** Functions called so far by the tests of one file; those called while it is loaded are kept apart. */
let calls = new Set<string>();
Object.assign(globalThis, { recordCall: (id: string) => calls.add(id) });

let loaded: ReadonlyArray<string> = [];
let began = 0;
beforeAll(() => {
  loaded = [...calls];
  calls = new Set();
  began = performance.now();
});
afterAll(() => {
  const line = {
    test: expect.getState().testPath,
    millis: Math.round(performance.now() - began),
    loaded,
    calls: [...calls],
  };
  appendFileSync(String(process.env["RECORD_CALLS"]), `${JSON.stringify(line)}\n`);
});
