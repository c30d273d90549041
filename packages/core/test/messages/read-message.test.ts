import { expect, it } from "vitest";
import { cutHeader } from "../../src/messages/index.ts";

it("a header field is shown up to 16,384 characters", () => {
  const longest = "x".repeat(16_384);
  expect([cutHeader(longest), cutHeader(`${longest}y`)]).toEqual([longest, longest]);
});
