import type { HeaderField, MessagePart } from "../../src/mail/index.ts";
import { describe, expect, it } from "vitest";
import { messageTexts } from "../../src/bounces/message-texts.ts";
import { noReportReason } from "../../src/bounces/no-report-reason.ts";
import { nested, part, report } from "./message.ts";

const DAEMON: HeaderField = ["From", "MAILER-DAEMON@x.test"];
const PERSON: HeaderField = ["From", "Bob <bob@x.test>"];
const subject = (text: string): HeaderField => ["Subject", text];
const text = (...lines: ReadonlyArray<string>) => part("text/plain", lines.join("\n"));
const STATUS = part("message/delivery-status", "Final-Recipient: rfc822; bob@x.test\nAction: failed");
const FEEDBACK = part("message/feedback-report", "Feedback-Type: abuse\nVersion: 1");
const RETURNED = nested([["Subject", "Plan"]]);
const FAILED = "Undeliverable: Plan";

const reasonOf = (headers: ReadonlyArray<HeaderField>, ...parts: ReadonlyArray<MessagePart>) => {
  const message = { headers, parts };
  return noReportReason(message, messageTexts(message));
};

describe("a message that may be a report", () => {
  it.each<[string, ReadonlyArray<HeaderField>, ReadonlyArray<MessagePart>]>([
    ["a machine-readable report from a person", [PERSON, report, subject("Re: Plan")], [text("Hello"), STATUS]],
    ["a status from a mail system", [DAEMON, subject("Plan")], [text("Hello"), STATUS]],
    ["a status with the null sender", [PERSON, ["Return-Path", "<>"], subject("Plan")], [text("Hello"), STATUS]],
    ["feedback from a person", [PERSON, subject("Plan")], [text("Hello"), FEEDBACK]],
    ["feedback in a report that answers", [PERSON, report, subject("Re: Plan")], [text("Hello"), FEEDBACK]],
    [
      "a status in prose, under the subject of a bounce",
      [PERSON, subject(FAILED)],
      [text("Final-Recipient: rfc822; b@x.test", "Action: failed")],
    ],
    [
      "a refusal with what it returns, of a list's mail system",
      [DAEMON, ["List-Id", "x"], subject("Plan")],
      [text("550 user unknown"), RETURNED],
    ],
    [
      "a notice that declares a recipient",
      [PERSON, ["X-Failed-Recipients", "b@x.test"], subject("Out of office")],
      [text("Hello")],
    ],
    ["an automatic notice of a bounce", [DAEMON, ["Auto-Submitted", "auto-replied"], subject(FAILED)], [text("Hello")]],
    ["a notice without marks", [PERSON, subject("Plan")], [text("Hello")]],
  ])("is %s", (_, headers, parts) => expect(reasonOf(headers, ...parts)).toBeNull());
});

describe("a message that only looks like a report", () => {
  it.each<[string, string, ReadonlyArray<HeaderField>, ReadonlyArray<MessagePart>]>([
    [
      "receipt",
      "a receipt, even as a report",
      [DAEMON, report, subject("Read: Plan")],
      [text("Your mail was read by Bob."), part("message/disposition-notification", "Disposition: displayed"), STATUS],
    ],
    [
      "quoted",
      "a status that a person pastes",
      [PERSON, subject("Plan")],
      [text("Final-Recipient: rfc822; b@x.test", "Action: failed")],
    ],
    ["quoted", "an answer to a report", [PERSON, subject("Re: Undeliverable: Plan")], [text("Hello")]],
    ["quoted", "an answer to a report, with a status", [DAEMON, subject("Re: Plan")], [text("Hello"), STATUS]],
    ["quoted", "an answer with feedback", [PERSON, subject("Fwd: Plan")], [text("Hello"), FEEDBACK]],
    ["quoted", "an answer of a mail system that returns nothing", [DAEMON, subject("Re: Plan")], [text("Hello")]],
    ["quoted", "three quoted lines of a person", [PERSON, subject("Plan")], [text("> a", "> b", "> c")]],
    ["quoted", "a message forwarded by a person", [PERSON, subject("Plan")], [text("--- Forwarded message ---")]],
    ["quoted", "a mail program", [PERSON, ["User-Agent", "Mail"], subject("Plan")], [text("Hello")]],
    ["mailing_list", "a list by its fields", [PERSON, ["List-Unsubscribe", "<x>"], subject("Plan")], [text("Hello")]],
    [
      "mailing_list",
      "a list by its sender",
      [PERSON, ["Return-Path", "<news-bounces@x.test>"], subject("Plan")],
      [text("Hello")],
    ],
    [
      "mailing_list",
      "an owner of a list",
      [PERSON, ["Return-Path", "<owner-news@x.test>"], subject("Plan")],
      [text("Hello")],
    ],
    ["auto_reply", "an absence by its subject", [PERSON, subject("Out of office: Plan")], [text("Hello")]],
    [
      "auto_reply",
      "an automatic answer",
      [PERSON, ["Auto-Submitted", "auto-replied"], subject("Plan")],
      [text("Hello")],
    ],
    [
      "auto_reply",
      "an automatic answer of a mail system about nothing",
      [DAEMON, ["Auto-Submitted", "auto-notified"], subject("Plan")],
      [text("Hello")],
    ],
    [
      "auto_reply",
      "an automatic answer of a person about a bounce",
      [PERSON, ["X-Autoreply", "yes"], subject(FAILED)],
      [text("Hello")],
    ],
    [
      "auto_reply",
      "an answer by its precedence",
      [PERSON, ["Precedence", "auto_reply"], subject("Plan")],
      [text("Hello")],
    ],
  ])("is %s: %s", (reason, _, headers, parts) => expect(reasonOf(headers, ...parts)).toBe(reason));

  it("is not one with two quoted lines, a transcript, or the quotes of a mail system", () => {
    expect(reasonOf([PERSON, subject("Plan")], text("> a", "> b"))).toBeNull();
    expect(reasonOf([PERSON, subject("Plan")], text(">>> a", ">>> b", ">>> c"))).toBeNull();
    expect(reasonOf([DAEMON, subject("Plan")], text("> a", "> b", "> c"))).toBeNull();
    expect(
      reasonOf([PERSON, ["User-Agent", "x"], ["Auto-Submitted", "auto-generated"], subject("Plan")], text("x")),
    ).toBeNull();
    expect(reasonOf([DAEMON, ["Return-Path", "<owner-news@x.test>"], subject("Plan")], text("Hello"))).toBeNull();
  });
});
