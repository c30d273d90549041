import { describe, expect, it } from "vitest";
import { recognise } from "../../src/bounces/recognise.ts";
import type { HeaderField, MessagePart } from "../../src/mail/index.ts";
import { nested, part } from "./message.ts";

const DAEMON: HeaderField = ["From", "MAILER-DAEMON@mx.test"];
const PERSON: HeaderField = ["From", "Bob <bob@y.test>"];
const NULL_SENDER: HeaderField = ["Return-Path", "<>"];
const RETURNED = nested([
  ["From", "Alice <Alice@sender.example>"],
  ["To", "carol@x.test"],
]);
const SAYS = "Undeliverable: Plan";
const VAGUE = "It failed to send to carol@x.test";
const EXPLAINS = "It failed to send to carol@x.test: mailbox full";
const CITES = "It failed to send to carol@x.test: 550";

/** Whether a message to alice@sender.example is believed to report that carol@x.test has failed. */
const isBelieved = (
  headers: ReadonlyArray<HeaderField>,
  subject: string,
  text: string,
  ...more: ReadonlyArray<MessagePart>
) => {
  const found = recognise({
    headers: [...headers, ["To", "alice@sender.example"], ["Subject", subject]],
    parts: [part("text/plain", text), ...more],
  });
  if (found.kind === "bounce") expect(found.recipients.map(({ address }) => address)).toEqual(["carol@x.test"]);
  else expect(found).toEqual({ kind: "none", reason: "ordinary" });
  return found.kind === "bounce";
};

describe("a notice of a failure", () => {
  it.each<[string, HeaderField]>([
    ["of a mail system", DAEMON],
    ["in a multipart/report", ["Content-Type", "multipart/report; boundary=b"]],
  ])("%s is believed with one more sign", (_, header) => {
    expect(isBelieved([header], "Plan", VAGUE)).toBe(false);
    expect(isBelieved([header], "Plan", EXPLAINS)).toBe(false);
    expect(isBelieved([header], SAYS, VAGUE)).toBe(true);
    expect(isBelieved([header], "Plan", VAGUE, nested([["To", "carol@x.test"]]))).toBe(true);
    expect(isBelieved([header], "Plan", CITES)).toBe(true);
    expect(isBelieved([header], "Plan", "It failed to send to carol@x.test: #5.1.1")).toBe(true);
    expect(isBelieved([header], "Plan", `${EXPLAINS}. This is final now.`)).toBe(true);
    expect(isBelieved([header], "Plan", `${VAGUE}. This is final now.`)).toBe(false);
  });

  it("with the subject of a delay is believed of a mail system", () => {
    expect(isBelieved([DAEMON], "Deferred mail failed", VAGUE)).toBe(true);
  });

  it("with the null sender is believed with two more signs", () => {
    const headers = [PERSON, NULL_SENDER];
    expect(isBelieved(headers, SAYS, VAGUE)).toBe(false);
    expect(isBelieved(headers, "Plan", VAGUE, RETURNED)).toBe(false);
    expect(isBelieved(headers, "Plan", EXPLAINS)).toBe(false);
    expect(isBelieved(headers, "Plan", CITES)).toBe(false);
    expect(isBelieved(headers, SAYS, EXPLAINS)).toBe(true);
    expect(isBelieved(headers, SAYS, CITES)).toBe(true);
    expect(isBelieved(headers, SAYS, VAGUE, RETURNED)).toBe(true);
    expect(isBelieved(headers, "Plan", EXPLAINS, RETURNED)).toBe(true);
  });

  it("of any other sender is believed if it says and explains it, and returns a message of its recipient", () => {
    const foreign = nested([
      ["From", "dora@other.test"],
      ["To", "carol@x.test"],
    ]);
    const anonymous = nested([["To", "carol@x.test"]]);
    expect(isBelieved([PERSON], SAYS, EXPLAINS, RETURNED)).toBe(true);
    expect(isBelieved([PERSON], SAYS, EXPLAINS)).toBe(false);
    expect(isBelieved([PERSON], SAYS, EXPLAINS, foreign)).toBe(false);
    expect(isBelieved([PERSON], SAYS, EXPLAINS, anonymous)).toBe(false);
    expect(isBelieved([PERSON], SAYS, VAGUE, RETURNED)).toBe(false);
    expect(isBelieved([PERSON], "Plan", EXPLAINS, RETURNED)).toBe(false);
  });

  it("is believed if a field declares the recipient, even without words", () => {
    const declared: HeaderField = ["X-Failed-Recipients", "carol@x.test"];
    expect(isBelieved([PERSON, declared], "Plan", "Hello")).toBe(true);
    expect(isBelieved([DAEMON], SAYS, "Hello")).toBe(false);
  });
});

describe("the recipients of a notice", () => {
  const recipientsOf = (
    text: string,
    headers: ReadonlyArray<HeaderField> = [],
    ...more: ReadonlyArray<MessagePart>
  ) => {
    const found = recognise({
      headers: [...headers, DAEMON, ["To", "alice@sender.example"], ["Subject", SAYS]],
      parts: [part("text/plain", text), ...more],
    });
    return found.kind === "bounce" || found.kind === "delay" ? found.recipients : found;
  };
  const failed = { originalRecipient: null, type: "permanent", reportingMta: "mx.test" };

  it("have the status and the line that tells the cause, or a general status", () => {
    const text = [
      "<carol@x.test>:",
      "  sorry,",
      "  host  said: 550 5.1.1",
      "  no mailbox here",
      "<dora@x.test>: 552 x",
    ];
    expect(recipientsOf(text.join("\n"))).toEqual([
      { ...failed, address: "carol@x.test", status: "5.1.1", diagnosticCode: "host said: 550 5.1.1" },
      { ...failed, address: "dora@x.test", status: "5.2.2", diagnosticCode: "<>: 552 x" },
    ]);
    expect(recipientsOf("<carol@x.test>: #5.1.1\nmailbox full")).toMatchObject([{ diagnosticCode: "<>: #5.1.1" }]);
    expect(recipientsOf("<carol@x.test>: sorry\nmailbox full")).toMatchObject([{ diagnosticCode: "mailbox full" }]);
    expect(recipientsOf("It failed to send to\n<carol@x.test>\n")).toEqual([
      { ...failed, address: "carol@x.test", status: "5.0.0", diagnosticCode: null },
    ]);
  });

  it("have the first 500 characters of the line that tells the cause", () => {
    const [one] = [recipientsOf(`<carol@x.test>: 550 ${"x".repeat(600)}`)].flat();
    expect(one).toMatchObject({ diagnosticCode: `<>: 550 ${"x".repeat(492)}` });
  });

  it("of a delay have a status of class 4", () => {
    const delayed = { ...failed, type: "transient", address: "carol@x.test" };
    expect(recipientsOf("<carol@x.test>: we will try again")).toMatchObject([{ type: "transient", status: "4.0.0" }]);
    expect(recipientsOf("We will try again\n<carol@x.test>: mailbox full")).toEqual([
      { ...delayed, status: "4.2.2", diagnosticCode: "<>: mailbox full" },
    ]);
  });

  it("are not the sender and the reporter, unless there are no others", () => {
    const lines = ["alice@sender.example", "bounces@mx.test", "ally@sender.example", "carol@x.test"].map(
      (address) => `<${address}>: 550`,
    );
    const returned = nested([["From", "Ally@sender.example"]]);
    expect(recipientsOf(lines.join("\n"), [["From", "bounces@mx.test"]], returned)).toMatchObject([
      { address: "carol@x.test" },
    ]);
    expect(recipientsOf("It failed to send\n<alice@sender.example>: 550")).toMatchObject([
      { address: "alice@sender.example" },
    ]);
    expect(recipientsOf("It failed to send")).toEqual({ kind: "none", reason: "no_recipient" });
  });

  it("are those that fields declare", () => {
    const declared: ReadonlyArray<HeaderField> = [
      ["X-Failed-Recipients", "a@x.test, b@x.test"],
      ["X-Failed-Recipients", "c@x.test"],
    ];
    expect(recipientsOf("<carol@x.test>: 550", declared)).toMatchObject([
      { address: "a@x.test" },
      { address: "b@x.test" },
      { address: "c@x.test" },
    ]);
  });

  it("are reported by the domain of the sender", () => {
    const reporter = (from: string) =>
      recognise({
        headers: [["From", from], ["To", "alice@sender.example"], ["Subject", SAYS], NULL_SENDER],
        parts: [part("text/plain", CITES)],
      });
    expect(reporter("Bob <bob@MX.test>")).toMatchObject({ recipients: [{ reportingMta: "mx.test" }] });
    expect(reporter('"a@b"@mx.test')).toMatchObject({ recipients: [{ reportingMta: "mx.test" }] });
    expect(reporter("Mail Delivery System")).toMatchObject({ recipients: [{ reportingMta: null }] });
  });
});
