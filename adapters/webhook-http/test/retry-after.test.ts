import { assert, it } from "@effect/vitest";
import { retryAfterOf } from "../src/retry-after.ts";

const NOW = Date.UTC(2026, 9, 21, 7, 28, 0);

it.each([
  ["0", 0],
  ["120", 120_000],
  ["1000000000", 1_000_000_000_000],
  ["Wed, 21 Oct 2026 07:30:00 GMT", 120_000],
  ["Wed, 21 Oct 2026 07:00:00 GMT", 0],
  ["Fri, 31 Dec 1999 23:59:59 GMT", 0],
  ["-5", null],
  ["1e9", null],
  ["1.5", null],
  ["", null],
  ["soon", null],
  ["9".repeat(40), null],
  ["2026-10-21T07:30:00Z", null],
  ["Wed, 99 Xyz 2026 07:30:00 GMT", null],
  [undefined, null],
  [["1", "2"], null],
] as const)("a wait of %j is %s ms", (field, wait) => {
  assert.strictEqual(retryAfterOf(field, NOW), wait);
});
