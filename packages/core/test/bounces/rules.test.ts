import { describe, expect, it } from "vitest";
import { STATUS_PHRASES, statusByWords, statusFrom, statusOf } from "../../src/bounces/enhanced-status.ts";
import { FAMILIES } from "../../src/bounces/families/families.ts";
import { MAILBOX_PHRASES } from "../../src/bounces/phrases/mailbox-phrases.ts";
import { firstAddress } from "../../src/bounces/mail-address.ts";
import { foldText, phrases } from "../../src/bounces/text-folding.ts";

describe("status phrases", () => {
  it.each(STATUS_PHRASES.map(({ status, example, pattern }) => [status, example, pattern] as const))(
    "%s is recognised by: %s",
    (_, example, pattern) => {
      expect(pattern.test(foldText(example))).toBe(true);
    },
  );

  it("lets a specific row win over later ones", () => {
    const subject = (status: string | null) => status?.slice(2);
    for (const { status, example } of MAILBOX_PHRASES) expect(subject(statusByWords(example))).toBe(subject(status));
  });

  it.each([
    ["550 Requested action not taken: mailbox unavailable", "5.1.1"],
    [
      "554 delivery error: dd Sorry your message to bob@example.com cannot be delivered. This account has been disabled",
      "5.2.1",
    ],
    ["452 4.2.2 The email account that you tried to reach is over quota", "4.2.2"],
    ["450 Requested mail action not taken: user mailbox is full", "4.2.2"],
    ["550 Sender verify failed", "5.1.8"],
    ["554 Relay access denied", "5.7.1"],
    ["553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", "5.7.1"],
    ["421 Too many concurrent SMTP connections", "4.7.28"],
    ["550 DMARC policy violation", "5.7.26"],
    ["bob@example.com: temporary failure. Command output: maildrop: maildir over quota.", "5.2.2"],
    ["delivery temporarily suspended: connect to mx.example.com[192.0.2.1]:25: No route to host", "4.4.1"],
    ["550 5.0.0 user unknown", "5.1.1"],
    ["550 a text that no server sends", "5.0.0"],
    ["551 gone", "5.1.6"],
    ["Sendmail 8.15.2 on 192.0.2.5 says hello", null],
    ["550 Утилизатор: нет такого пользователя", "5.1.1"],
    ["550 宛先のメールアドレスが\n存在しません", "5.1.1"],
  ])("reads %s", (text, status) => expect(statusFrom(text)).toBe(status));

  it.each([
    ["5.1.1", "5.1.1"],
    ["5.1.1 (bad destination mailbox address)", "5.1.1"],
    ["5.7.606", "5.7.606"],
    ["5", "5.0.0"],
    ["550", "5.0.0"],
    ["4.2", "4.2.0"],
    ["", null],
    ["unknown", null],
  ])("reads a Status field of %j", (field, status) => expect(statusOf(field)).toBe(status));

  it("refuses a phrase with unbounded repetition", () => {
    expect(() => phrases("a.*b")).toThrow(RangeError);
    expect(() => phrases("(a|b)+")).toThrow(RangeError);
    expect(() => phrases("a{2,}")).toThrow(RangeError);
  });
});

describe("families", () => {
  it.each(FAMILIES.map((family) => [family.name, family.example, family] as const))(
    "%s is recognised by: %s",
    (_, example, { recognisedBy }) => {
      const colon = example.indexOf(":");
      const [name, value] = [example.slice(0, colon), example.slice(colon + 1).trim()];
      if (recognisedBy.from !== undefined) expect([name, recognisedBy.from.test(value)]).toEqual(["From", true]);
      if (recognisedBy.header !== undefined)
        expect([name, recognisedBy.header[1].test(value)]).toEqual([recognisedBy.header[0], true]);
      if (recognisedBy.text !== undefined) expect(recognisedBy.text.test(foldText(example))).toBe(true);
      if (recognisedBy.status !== undefined) expect(recognisedBy.status.test(example)).toBe(true);
      expect(Object.keys(recognisedBy)).not.toEqual([]);
    },
  );

  it.each(FAMILIES.flatMap(({ name, recipient }) => (recipient === undefined ? [] : [[name, recipient] as const])))(
    "finds the recipient in a notice of %s",
    (_, { line, example }) => {
      const found = line.exec(example);
      expect(firstAddress(example.slice(found?.index ?? example.length))).toBe("bob@example.com");
    },
  );

  it("have no nested repetition, so every match is linear", () => {
    for (const { name, recognisedBy, recipient } of FAMILIES)
      for (const rule of [
        recognisedBy.from,
        recognisedBy.header?.[1],
        recognisedBy.text,
        recognisedBy.status,
        recipient?.line,
      ])
        expect(/\([^)]*[*+}][^)]*\)[*+{]|[^\\][*+]/.test(rule?.source ?? ""), `${name}: ${rule?.source}`).toBe(false);
  });
});
