import { describe, expect, it } from "vitest";
import { CANDIDATE_FIELDS, isCandidate } from "../../src/bounces/candidate.ts";
import type { HeaderField } from "../../src/mail/index.ts";

const ORDINARY: ReadonlyArray<HeaderField> = [
  ["Return-Path", "<bob@x.test>"],
  ["From", "Bob <bob@x.test>"],
  ["Subject", "Plan"],
  ["Content-Type", "text/plain"],
];
/** Whether a message is a candidate by this field alone, with the fields that are fetched of a message. */
const isTaken = (field: HeaderField) => {
  const headers = [field, ...ORDINARY.filter(([name]) => name !== field[0]), ["X-Other", "x"] as const];
  const fetched = headers.filter(([name]) => CANDIDATE_FIELDS.includes(name));
  expect(isCandidate(fetched)).toBe(isCandidate(headers));
  return isCandidate(headers);
};

describe("a possible report", () => {
  it.each<HeaderField>([
    ["Content-Type", "multipart/report"],
    ["Content-Type", "message/feedback-report"],
    ["Return-Path", "<>"],
    ["From", "postmaster@x.test"],
    ["X-Failed-Recipients", "bob@x.test"],
    ["X-HmXmrOriginalRecipient", "bob@x.test"],
    ["X-MS-Exchange-Message-Is-Ndr", ""],
    ["X-Feedback-ID-Report", "x"],
    ["Auto-Submitted", "auto-replied"],
    ["Auto-Submitted", "notified"],
    ["Subject", "Undeliverable: Plan"],
    ["Subject", "Plan delayed"],
    ["Subject", "Abuse"],
    ["From", "Reports <fbl@x.test>"],
  ])("is recognised by %s: %s", (...field) => expect(isTaken(field)).toBe(true));

  it.each<HeaderField>([
    ["Content-Type", "multipart/mixed"],
    ["Auto-Submitted", "no"],
    ["Auto-Submitted", "No; x"],
    ["Subject", "Report"],
  ])("is not recognised by %s: %s", (...field) => expect(isTaken(field)).toBe(false));

  it("is recognised in the first 300 characters of its sender", () => {
    expect(isTaken(["From", "fbl".padStart(300, "x")])).toBe(true);
    expect(isTaken(["From", "fbl".padStart(301, "x")])).toBe(false);
  });
});
