import { describe, expect, it } from "vitest";
import { recognise } from "../../src/bounces/recognise.ts";
import type { HeaderField } from "../../src/mail/index.ts";
import { part } from "./message.ts";

interface Sample {
  readonly from?: string;
  readonly headers?: ReadonlyArray<HeaderField>;
  /** The lines before and after the line about the recipient. */
  readonly first?: string;
  readonly notice?: string;
  readonly status?: string;
}

/** The family of a report about bob@x.test. */
const familyOf = ({ from = "MAILER-DAEMON@mx.test", headers = [], first = "", notice = "", status }: Sample) => {
  const found = recognise({
    headers: [["From", from], ["To", "alice@sender.example"], ["Subject", "Undeliverable: Plan"], ...headers],
    parts: [
      part("text/plain", `${first}<bob@x.test>: 550 5.1.1\n${notice}`),
      ...(status === undefined
        ? []
        : [part("message/delivery-status", `${status}\n\nFinal-Recipient: rfc822; bob@x.test\nAction: failed`)]),
    ],
  });
  if (found.kind !== "bounce") throw new Error(found.kind);
  expect(found.recipients).toMatchObject([{ address: "bob@x.test", status: "5.1.1" }]);
  return found.family;
};
const GENERATING = "Generating server: mail.test";

describe("the family of a report", () => {
  it("is that of its form, if no rule recognises it", () => {
    expect(familyOf({})).toBe("text");
    expect(familyOf({ status: "Reporting-MTA: dns; mx.test" })).toBe("rfc3464");
  });

  it("is recognised by its sender, its fields, its text, or its status", () => {
    expect(familyOf({ from: "MAILER-DAEMON@qq.com" })).toBe("qq");
    expect(familyOf({ headers: [["X-MS-Exchange-Message-Is-Ndr", ""]] })).toBe("office365");
    expect(familyOf({ notice: GENERATING })).toBe("exchange");
    expect(familyOf({ status: "Reporting-MTA: dns; mx.mimecast.com" })).toBe("mimecast");
    expect(familyOf({ first: `${GENERATING}\n` })).toBe("exchange");
    expect(familyOf({ status: "Mimecast: x" })).toBe("mimecast");
    expect(familyOf({ from: "MAILER-DAEMON@qq.com", status: "Reporting-MTA: dns; mx.test" })).toBe("qq");
  });

  it("may be that of a mail server or of a provider", () => {
    expect(familyOf({ headers: [["X-MIMETrack", "x"]] })).toBe("domino");
    expect(familyOf({ from: "MAILER-DAEMON@eu.amazonses.com" })).toBe("amazon-ses");
  });

  it("is recognised by any of the fields of a name", () => {
    const mailer = (...values: ReadonlyArray<string>) =>
      familyOf({ headers: values.map((value): HeaderField => ["X-Mailer", value]) });
    expect(mailer("other", "Microsoft Exchange 5.5")).toBe("exchange-2003");
    expect(mailer("other")).toBe("text");
  });

  it("is recognised in the first 500 characters of its sender", () => {
    const before = (length: number) => " <mailer-daemon@qq.com".padStart(length, "x");
    expect(familyOf({ from: before(500) })).toBe("qq");
    expect(familyOf({ from: before(501), headers: [["Return-Path", "<>"]] })).toBe("text");
  });

  it("is recognised in the first 80 lines and 6000 characters of its notice", () => {
    const lines = (count: number) => [...Array<string>(count - 2).fill("-"), GENERATING].join("\n");
    expect(familyOf({ notice: lines(80) })).toBe("exchange");
    expect(familyOf({ notice: lines(81) })).toBe("text");
    const first = "<bob@x.test>: 550 5.1.1\n".length;
    const filler = (length: number) =>
      `${`${"-".repeat(799)}\n`.repeat(7)}${"Generating server: ".padStart(length, "-")}m`;
    expect(familyOf({ notice: filler(400 - first) })).toBe("exchange");
    expect(familyOf({ notice: filler(401 - first) })).toBe("text");
  });

  it("is recognised in the first 8000 characters of its status", () => {
    const status = (length: number) => {
      const line = `X-A: ${"-".repeat(1_594)}\n`;
      return `${line.repeat(4)}X-A: ${"mimecast".padStart(length - 5, "-")}`;
    };
    expect(familyOf({ status: status(1_600) })).toBe("mimecast");
    expect(familyOf({ status: status(1_601) })).toBe("rfc3464");
  });
});
