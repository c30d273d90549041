import { describe, expect, it } from "vitest";
import { recognise } from "../../src/bounces/recognise.ts";
import type { HeaderField } from "../../src/mail/index.ts";
import { nested, part } from "./message.ts";

const complaint = (fields: ReadonlyArray<string>, subject = "complaint") =>
  recognise({
    headers: [
      ["From", "Feedback Loop <fbl@isp.example>"],
      ["Subject", subject],
      ["Content-Type", "multipart/report; report-type=feedback-report; boundary=b"],
    ],
    parts: [
      part("text/plain", "This is an email abuse report."),
      part("message/feedback-report", fields.join("\n")),
      nested([
        ["From", "alice@sender.example"],
        ["To", "carol@isp.example"],
        ["Message-ID", "<a@sender.example>"],
      ] satisfies ReadonlyArray<HeaderField>),
    ],
  });

describe("a complaint", () => {
  it.each([
    ["abuse", "abuse"],
    ["Fraud", "fraud"],
    ["opt-out-list; more", "opt-out-list"],
    ["123", "abuse"],
  ])("of the type %s is of the type %s", (named, feedbackType) => {
    expect(complaint([`Feedback-Type: ${named}`])).toMatchObject({ kind: "complaint", family: "arf", feedbackType });
  });

  it("without a type is of the type abuse", () => {
    expect(complaint(["User-Agent: FBL/1"])).toMatchObject({ kind: "complaint", feedbackType: "abuse" });
  });

  it.each(["not-spam", "auth-failure", "dmarc", "dkim"])("is not a report of the type %s", (type) => {
    expect(complaint([`Feedback-Type: ${type}`])).toEqual({ kind: "none", reason: "receipt" });
  });

  it("names each recipient of its fields once, otherwise those of the message", () => {
    const named = ["Original-Rcpt-To: <bob@isp.example>", "Removal-Recipient: Bob@isp.example"];
    const redacted = "Final-Recipient: rfc822; redacted@isp.example";
    expect(complaint([...named, redacted])).toMatchObject({ recipients: ["Bob@isp.example"] });
    expect(complaint([redacted])).toMatchObject({ recipients: ["carol@isp.example"] });
    expect(complaint(["Original-Rcpt-To: bob@isp.example;"])).toMatchObject({ recipients: ["bob@isp.example"] });
  });

  it.each([
    ["Reporting-MTA: dns; mx.isp.example", "mx.isp.example"],
    ["Reporting-MTA: mx.isp.example", "mx.isp.example"],
    ["Version: 1", null],
    [`Reporting-MTA: dns; ${"x".repeat(256)}`, "x".repeat(255)],
  ])("with %s is reported by %s", (field, reportingMta) => {
    expect(complaint([field])).toMatchObject({ reportingMta });
  });

  it("is accepted with the subject of a reply, because the report is a separate part", () => {
    expect(complaint(["Feedback-Type: abuse"], "Re: complaint")).toMatchObject({ kind: "complaint" });
  });
});
