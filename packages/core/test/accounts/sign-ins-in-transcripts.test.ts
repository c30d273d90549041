import { describe, expect, it } from "vitest";
import { imapTranscript } from "../../src/accounts/protocol-log/imap-transcript.ts";
import { smtpTranscript } from "../../src/accounts/protocol-log/smtp-transcript.ts";
import type { Transcript } from "../../src/accounts/protocol-log/Transcript.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** Shows a conversation, in which each line begins with its speaker, `C` or `S`. */
const shown = (transcript: Transcript, ...said: ReadonlyArray<string>) =>
  said.flatMap((line) => {
    const bytes = new TextEncoder().encode(`${line.slice(3)}\r\n`);
    const read = line.startsWith("C") ? transcript.sent(bytes) : transcript.received(bytes);
    return read.map(({ from, text }) => `${from}: ${text}`);
  });

describe("an SMTP conversation", () => {
  const smtp = (...said: ReadonlyArray<string>) => shown(smtpTranscript(), ...said);

  it("is shown from its first line on, if the client or the server speaks first", () => {
    const plain = ["C: EHLO x", "S: 220 mx.test"];
    expect(smtp(...plain)).toEqual(plain);
  });

  it("is shown with a greeting in any form, but with later replies only in the form of RFC 5321", () => {
    expect(smtp("S: mx.test is ready", "S: again", "S: 250", "S: 2500 ok", "S: 250_ok")).toEqual([
      "S: mx.test is ready",
      "S: <5 removed>",
      "S: 250",
      "S: <7 removed>",
      "S: <6 removed>",
    ]);
  });

  it("hides all that the client sends from AUTH to the last line of the reply [S10.5-8]", () => {
    expect(
      smtp(
        "S: 220 mx.test",
        "C: AUTH PLAIN c2VjcmV0",
        "S: 235-welcome",
        "C: c2VjcmV0",
        "S: 235 done",
        "C: MAIL FROM:<a@x.test>",
        "C: auth",
        "C: RSET",
        "S: 501",
        "C: RSET",
        "C: AUTHENTICATE x",
        "C: AUTH x.y",
      ),
    ).toEqual([
      "S: 220 mx.test",
      "C: AUTH PLAIN <removed>",
      "S: 235-welcome",
      "C: <removed>",
      "S: 235 done",
      "C: MAIL FROM:<a@x.test>",
      "C: auth <removed>",
      "C: <removed>",
      "S: 501",
      "C: RSET",
      "C: <14 removed>",
      "C: AUTH <removed>",
    ]);
  });

  it("shows 334 outside of a sign-in, and the commands of a message by their names alone", () => {
    expect(smtp("S: 220 mx.test", "S: 334 what", "C: DATA", "C: DATABASE", "C: NOOP x", "C: VRFY ann")).toEqual([
      "S: 220 mx.test",
      "S: 334 what",
      "C: DATA",
      "C: <8 removed>",
      "C: NOOP x",
      "C: <8 removed>",
    ]);
  });
});

describe("an IMAP conversation", () => {
  const imap = (...said: ReadonlyArray<string>) => shown(imapTranscript(), "S: * OK ready", ...said).slice(1);

  it("hides all that the client sends from a sign-in to its own answer [S10.5-8]", () => {
    expect(
      imap(
        "C: 1 NOOP",
        "C: 2 AUTHENTICATE PLAIN",
        "S: + c2VjcmV0",
        "C: c2VjcmV0",
        "S: 1 OK done",
        "C: 3 NOOP",
        "S: 2 NO refused",
        "C: 4 IDLE",
        "S: + idling",
        "C: DONE",
        "S: 4 OK done",
      ),
    ).toEqual([
      "C: 1 NOOP",
      "C: 2 AUTHENTICATE PLAIN <removed>",
      "S: + <removed>",
      "C: <removed>",
      "S: 1 OK done",
      "C: <removed>",
      "S: 2 NO refused",
      "C: 4 IDLE",
      "S: + idling",
      "C: DONE",
      "S: 4 OK done",
    ]);
  });

  it("shows an answer only to a command that was sent, and once", () => {
    expect(imap("S: 1 OK c2VjcmV0", "C: 1 NOOP", "S: 1 OK done", "S: 1 OK c2VjcmV0")).toEqual([
      "S: <13 removed>",
      "C: 1 NOOP",
      "S: 1 OK done",
      "S: <13 removed>",
    ]);
  });

  it("shows the arguments of known commands, also after UID, and the sizes of others", () => {
    expect(imap("C: 1 uid fetch 1:* (FLAGS)", "C: 2 UID SEARCH TEXT plan", "C: 3 XSECRET plan", "C: plan")).toEqual([
      "C: 1 uid fetch 1:* (FLAGS)",
      "C: 2 UID SEARCH TEXT <4 removed>",
      "C: 3 XSECRET<5 removed>",
      "C: <4 removed>",
    ]);
    expect(imap("C: 1 XSECRET", "C: 2 LOGIN ann plan")).toEqual(["C: 1 XSECRET", "C: 2 LOGIN <removed>"]);
  });
});
