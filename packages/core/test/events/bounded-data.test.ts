import { describe, expect, it } from "vitest";
import { boundData } from "../../src/events/write-event.ts";
import { eventId } from "../../src/events/index.ts";
import { MAX_BODY_BYTES } from "../../src/events/write-event.ts";
import { eventTime } from "../../src/events/neighbours.ts";
import { Option } from "effect";

describe("the data of an event", () => {
  it.each([
    ["subject", 998],
    ["messageId", 998],
    ["diagnosticCode", 998],
    ["userAgent", 512],
    ["folder", 1024],
    ["path", 1024],
    ["from", 320],
  ] as const)("has a %s of %d characters at most [S7.1-5]", (name, most) => {
    expect(boundData({ [name]: "x".repeat(most) })).toEqual({ [name]: "x".repeat(most) });
    expect(boundData({ [name]: "x".repeat(most + 1) })).toEqual({ [name]: "x".repeat(most), truncated: true });
  });

  it("has lists of 50 texts of 320 characters at most [S7.1-5]", () => {
    const texts = (count: number, length: number) => Array.from({ length: count }, () => "x".repeat(length));
    expect(boundData({ to: texts(50, 320) })).toEqual({ to: texts(50, 320) });
    expect(boundData({ to: texts(51, 1) })).toEqual({ to: texts(50, 1), truncated: true });
    expect(boundData({ to: texts(1, 321) })).toEqual({ to: texts(1, 320), truncated: true });
  });

  it("has lists of 16 KiB of JSON at most, commas among them", () => {
    // Each text takes its characters, of three bytes in UTF-8, two quotes and a comma.
    const texts = (last: number) => [
      ...Array.from({ length: 16 }, () => "中".repeat(320)),
      "中".repeat(313) + "x",
      "x".repeat(last),
    ];
    const whole = texts(16 * 1024 - 16 * 963 - 943 - 3);
    expect(boundData({ to: whole })).toEqual({ to: whole });
    const longer = texts(whole.at(-1)!.length + 1);
    expect(boundData({ to: longer })).toEqual({ to: whole.slice(0, -1), truncated: true });
  });

  it("keeps characters whole and replaces characters that stores refuse", () => {
    expect(boundData({ from: `${"x".repeat(319)}📮` })).toEqual({ from: "x".repeat(319), truncated: true });
    expect(boundData({ from: `${"x".repeat(318)}📮` })).toEqual({ from: `${"x".repeat(318)}📮` });
    expect(boundData({ from: "a\0b\uD800" })).toEqual({ from: "a\uFFFDb\uFFFD" });
  });

  it("keeps numbers, booleans and absent fields, and is marked at the top if a record was cut", () => {
    const data = { size: 1, first: true, id: null, inner: { subject: "s" } };
    expect(boundData(data)).toEqual(data);
    expect(boundData({ inner: { from: "x".repeat(321) }, last: "a" })).toEqual({
      inner: { from: "x".repeat(320) },
      last: "a",
      truncated: true,
    });
    expect(boundData({ inner: { from: "x".repeat(321) }, other: { from: "" } })).toHaveProperty("truncated", true);
    expect(boundData({ inner: ["x".repeat(321)], other: [""] })).toHaveProperty("truncated", true);
  });

  it("fits a body of 64 KiB", () => {
    expect(MAX_BODY_BYTES).toBe(65_536);
  });
});

describe("the id of an event", () => {
  it("sorts by time and contains the time", () => {
    const times = [0, 35, 36, 1_900_000_000_000, 36 ** 9 - 1];
    const ids = times.map((time) => eventId(time, "-z"));
    expect(ids.toSorted()).toEqual(ids);
    expect(ids.map(eventTime)).toEqual(times.map((time) => Option.some(time)));
    expect(ids[0]).toBe("evt_000000000-z");
    expect(["", "evt_", "evt_12345678", "xevt_000000000", "EVT_000000000"].map(eventTime)).toEqual(
      Array.from({ length: 5 }, () => Option.none()),
    );
  });
});
