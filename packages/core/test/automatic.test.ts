import { describe, expect, it } from "vitest";
import { isAutomaticHeader } from "../src/mail/automatic.ts";

const isAutomatic = (header: string) =>
  isAutomaticHeader(Uint8Array.from(`From: a@y.test\r\n${header}\r\n\r\n`, (one) => one.charCodeAt(0)));

describe("isAutomaticHeader", () => {
  it.each([
    "Auto-Submitted: auto-replied",
    "auto-submitted: AUTO-GENERATED (rejected)",
    "Auto-Submitted:\r\n auto-notified; owner-email=a@y.test",
    "Precedence: bulk",
    "Precedence: Junk",
    "precedence: auto_reply",
    "X-Auto-Response-Suppress: All",
    "X-Auto-Response-Suppress: OOF, AutoReply",
    "Return-Path: <>",
    "Return-Path: < >",
  ])("is true for a message that a program wrote: %s [S6.2-9]", (header) => expect(isAutomatic(header)).toBe(true));

  it.each([
    "",
    "Auto-Submitted: no",
    "Auto-Submitted: No (a person)",
    "Auto-Submitted:",
    "Precedence: list",
    "List-Id: <a.y.test>",
    "X-Auto-Response-Suppress: None",
    "Return-Path: <a@y.test>",
    "X-Precedence: bulk",
    "Subject: x\r\n Precedence: bulk",
  ])("is false for a message that a person wrote, to a list too: %s [S6.2-9]", (header) =>
    expect(isAutomatic(header)).toBe(false),
  );
});
