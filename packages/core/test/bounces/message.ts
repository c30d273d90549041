import type { HeaderField, MessagePart, ParsedMessage } from "../../src/mail/index.ts";

export const part = (type: string, text: string): MessagePart => ({ type, text, message: null });

export const nested = (headers: ReadonlyArray<HeaderField>): MessagePart => ({
  type: "message/rfc822",
  text: "",
  message: { headers, parts: [] },
});

/** A message from a mail system to alice@sender.example. */
export const fromDaemon = (
  subject: string,
  parts: ReadonlyArray<MessagePart>,
  more: ReadonlyArray<HeaderField> = [],
): ParsedMessage => ({
  headers: [
    ["Return-Path", "<>"],
    ["From", "Mail Delivery System <MAILER-DAEMON@mx.example>"],
    ["To", "alice@sender.example"],
    ["Subject", subject],
    ...more,
  ],
  parts,
});

export const report: HeaderField = ["Content-Type", "multipart/report; report-type=delivery-status; boundary=b"];
