import { describe, expect, it } from "vitest";
import { applyFlagChange } from "../../src/messages/index.ts";
import { criteriaOf } from "../../src/messages/SearchCriteria.ts";
import { summaryWith } from "./summary.ts";

describe("a change of flags", () => {
  const message = summaryWith({ unread: true, flagged: false, answered: true, labels: ["b", "Work"] });

  it("leaves what it does not name", () => {
    expect(applyFlagChange(message, {})).toEqual(message);
    expect(applyFlagChange(message, { unread: false })).toEqual({ ...message, unread: false });
    expect(applyFlagChange(message, { flagged: true })).toEqual({ ...message, flagged: true });
    expect(applyFlagChange(message, { answered: false })).toEqual({ ...message, answered: false });
  });

  it("adds and removes labels in any case, and a label that is there keeps its spelling", () => {
    const labels = (addLabels?: ReadonlyArray<string>, removeLabels?: ReadonlyArray<string>) =>
      applyFlagChange(message, { ...(addLabels && { addLabels }), ...(removeLabels && { removeLabels }) }).labels;
    expect(labels(["work", "a"])).toEqual(["Work", "a", "b"]);
    expect(labels(undefined, ["WORK", "none"])).toEqual(["b"]);
    expect(labels(["a"], ["B"])).toEqual(["Work", "a"]);
    expect(labels([], [])).toEqual(["b", "Work"]);
  });
});

describe("the criteria of a search", () => {
  it("find a text in the headers only if the request says so", () => {
    const term = (field: "text" | "from") => ({ field, text: "t", isExcluded: true });
    const request = { text: "x", headers: "h", terms: [term("text"), term("from")] };
    expect(criteriaOf(request)).toMatchObject({ text: "x", headers: "h", terms: [term("text"), term("from")] });
    expect(criteriaOf({ ...request, scope: "all" })).toMatchObject({ text: "x", headers: "h" });
    const inHeaders = criteriaOf({ ...request, scope: "headers" });
    expect([inHeaders.text, inHeaders.headers]).toEqual([undefined, "x"]);
    expect(inHeaders.terms).toEqual([{ ...term("text"), field: "headers" }, term("from")]);
    expect(criteriaOf({}).terms).toBeUndefined();
  });

  it("name a Message-ID in brackets", () => {
    expect(["a@x", "<a@x>", "<a@x", undefined].map((messageId) => criteriaOf({ messageId }).messageId)).toEqual([
      "<a@x>",
      "<a@x>",
      "<<a@x>",
      undefined,
    ]);
  });

  it("have a day as a day of the mail server, and an instant as a time", () => {
    const of = (since: string | undefined, before: string | undefined) => {
      const { arrivedFrom, arrivedBefore, ...rest } = criteriaOf({ since, before });
      return [rest.since, arrivedFrom, rest.before, arrivedBefore];
    };
    expect(of("2030-01-02", "1970-01-01T00:00:05Z")).toEqual(["2030-01-02", undefined, undefined, 5_000]);
    expect(of("1970-01-01T00:00:05Z", "2030-01-02")).toEqual([undefined, 5_000, "2030-01-02", undefined]);
    expect(of(undefined, undefined)).toEqual([undefined, undefined, undefined, undefined]);
  });
});
