import { describe, expect, it } from "vitest";
import { hasNullSender, isFromDaemon, ownAddresses } from "../../src/bounces/sender.ts";
import type { HeaderField } from "../../src/mail/index.ts";

describe("a mail system", () => {
  it.each([
    ["MAILER-DAEMON@x.test", true],
    ["Bob <postmaster@x.test>", true],
    ["Mail Delivery System <bob@x.test>", true],
    ['"Mail Delivery System" <bob@x.test>', true],
    ["Microsoft Outlook <bob@x.test>", true],
    ["Microsoft Outlook team <bob@x.test>", false],
    ['"postmaster"@x.test', true],
    ['"returned@y"@x.test', false],
    ["Bob <bob@x.test>", false],
    ["bob@x.test (Mail Delivery System)", false],
    ["bob@x.test, postmaster@x.test", false],
    ["MAILER-DAEMON (Mail Delivery System)", true],
    ["Postmaster", true],
    ["<bounces", true],
    ["<>", true],
    ["", true],
    ["Bob", false],
    ["12", false],
  ])("is the sender %j: %j", (from, expected) => expect(isFromDaemon([["From", from]])).toBe(expected));

  it("is recognised in the first 500 characters of the sender", () => {
    const from = (length: number) => ` <bounces@x.t`.padStart(length, "x");
    expect(isFromDaemon([["From", from(500)]])).toBe(true);
    expect(isFromDaemon([["From", from(501)]])).toBe(false);
  });
});

describe("the null sender", () => {
  it.each([
    ["<>", true],
    ["< >", true],
    ["<MAILER-DAEMON>", true],
    ["<mailer-daemon@x.test>", true],
    ["<bob@x.test>", false],
    ["", false],
  ])("is %j: %j", (path, expected) => expect(hasNullSender([["Return-Path", path]])).toBe(expected));
});

describe("the recipients of a report", () => {
  it("are those of its header and its envelope", () => {
    const headers: ReadonlyArray<HeaderField> = [
      ["Envelope-To", "d@x.test"],
      ["X-Original-To", "c@x.test"],
      ["Delivered-To", "b@x.test"],
      ["To", "Ann <a@x.test>, e@x.test"],
      ["Cc", "f@x.test"],
      ["To", "g@x.test"],
    ];
    expect(ownAddresses(headers)).toEqual([..."aegbcd"].map((name) => `${name}@x.test`));
  });

  it("are 20 of each field", () => {
    const all = Array.from({ length: 21 }, (_, n) => `u${n}@x.test`);
    expect(ownAddresses([["To", all.join(", ")]])).toEqual(all.slice(0, 20));
  });
});
