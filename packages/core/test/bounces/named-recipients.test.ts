import { describe, expect, it } from "vitest";
import { failedRecipients, type NoticeContext } from "../../src/bounces/failed-recipients.ts";
import type { Family } from "../../src/bounces/families/Family.ts";

const recipientsIn = (notice: ReadonlyArray<string>, over: Partial<NoticeContext> = {}) =>
  failedRecipients({ notice, family: null, declared: [], returnedTo: [], excluded: new Set(), ...over });
const addressesIn = (...notice: ReadonlyArray<string>) => recipientsIn(notice).map(({ address }) => address);
const mentions = (count: number) => Array.from({ length: count }, (_, n) => `we know u${n}@x.test as you see`);
const filler = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}`);

describe("the places in which a notice names failed recipients", () => {
  it("count the same: a line, a line with a reason, and a label", () => {
    expect(
      addressesIn("<a@x.test>", "b@x.test: unknown", "the recipient: c@x.test as sent", "see d@x.test here"),
    ).toEqual(["a@x.test", "b@x.test", "c@x.test"]);
  });

  it("count less than that of a known format", () => {
    const family: Family = {
      name: "x",
      recognisedBy: {},
      recipient: { line: /^(?=\S{1,99} is lost)/, example: "a@x.test is lost" },
      example: "",
    };
    const notice = ["a@x.test is lost", "<b@x.test>: unknown"];
    expect(recipientsIn(notice, { family }).map(({ address }) => address)).toEqual(["a@x.test"]);
    expect(addressesIn(...notice)).toEqual(["b@x.test"]);
  });

  it("include a mailto link, and a line of a transcript that is no command", () => {
    expect(addressesIn("mailto:a@x.test", "see d@x.test here")).toEqual(["a@x.test"]);
    expect(addressesIn(">>> a@x.test", "see d@x.test here")).toEqual(["a@x.test"]);
  });

  it("are one of a line, or several with commas or semicolons", () => {
    expect(addressesIn("for: a@x.test for: b@x.test")).toEqual(["a@x.test"]);
    expect(addressesIn("for: a@x.test, for: b@x.test; for: c@x.test")).toEqual(["a@x.test", "b@x.test", "c@x.test"]);
    expect(addressesIn("for: <a@x.test>, for: b@x.test")).toEqual(["a@x.test", "b@x.test"]);
  });

  it("are not behind a label of ids in the last 220 characters", () => {
    const line = (length: number) => [`${"message-id".padEnd(length - 6, ".")} for: a@x.test`, "see d@x.test here"];
    expect(addressesIn(...line(220))).toEqual(["d@x.test"]);
    expect(addressesIn(...line(221))).toEqual(["a@x.test"]);
  });

  it("are the first 10 addresses of a line, and 200 of a notice", () => {
    const line = (count: number) => `${mentions(count).join(" ")} for: a@x.test`;
    expect(addressesIn(line(9))).toEqual(["a@x.test"]);
    expect(addressesIn(line(10))).not.toContain("a@x.test");
    expect(addressesIn(...mentions(199), "for: a@x.test")).toEqual(["a@x.test"]);
    expect(addressesIn(...mentions(200), "for: a@x.test")).not.toContain("a@x.test");
  });
});

describe("the detail of a failed recipient", () => {
  it("has the lines from a mention in a sentence about a failure", () => {
    const notice = [...filler(3), "It failed to send to a@x.test: 550 no", ...filler(20)];
    expect(recipientsIn(notice)).toEqual([
      { address: "a@x.test", detail: ["It failed to send to : 550 no", ...filler(13)].join("\n") },
    ]);
  });

  it("has the lines of four mentions", () => {
    const mention = (n: number) => [`<a@x.test>: 55${n} no`, ...filler(13)];
    const notice = [0, 1, 2, 3, 4].flatMap(mention);
    expect(recipientsIn(notice)).toEqual([
      {
        address: "a@x.test",
        detail: notice
          .slice(0, 4 * 14)
          .join("\n")
          .replaceAll("a@x.test", ""),
      },
    ]);
  });

  it("goes beyond another recipient in the same line, and ends at one in a line below", () => {
    const notice = ["for: a@x.test, for: b@x.test", "550 no", "<c@x.test>: 552 full"];
    expect(recipientsIn(notice)).toEqual([
      { address: "a@x.test", detail: "for: , for: b@x.test\n550 no" },
      { address: "b@x.test", detail: "for: a@x.test, for: \n550 no" },
      { address: "c@x.test", detail: "<>: 552 full" },
    ]);
  });
});
