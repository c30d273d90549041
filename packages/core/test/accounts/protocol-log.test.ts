import { assert, describe, it } from "@effect/vitest";
import * as Base64 from "effect/encoding/Base64";
import * as Base64Url from "effect/encoding/Base64Url";
import * as Hex from "effect/encoding/Hex";
import fc from "fast-check";
import { holdsOneOf } from "../../src/accounts/protocol-log/credential-forms.ts";
import { imapTranscript } from "../../src/accounts/protocol-log/imap-transcript.ts";
import { LineBuffer } from "../../src/accounts/protocol-log/LineBuffer.ts";
import { findExcess, sortLines, printableLine } from "../../src/accounts/protocol-log/protocol-lines.ts";
import { smtpTranscript } from "../../src/accounts/protocol-log/smtp-transcript.ts";
import type { Transcript } from "../../src/accounts/protocol-log/Transcript.ts";

declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Bytes that one side writes at once. */
type Said = readonly ["C" | "S", string];

/** Returns the lines of a conversation in which each side's bytes arrive in pieces of this size. */
const linesOf = (transcript: Transcript, said: ReadonlyArray<Said>, size = 1_000_000): ReadonlyArray<string> =>
  said.flatMap(([from, text]) => {
    const bytes = bytesOf(text);
    const lines: Array<string> = [];
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size);
      const read = from === "C" ? transcript.sent(piece) : transcript.received(piece);
      lines.push(...read.map((line) => `${line.from}: ${line.text}`));
    }
    return lines;
  });

const GREETING: Said = ["S", "* OK [CAPABILITY IMAP4rev1] Dovecot ready.\r\n"];

const imap = (...said: ReadonlyArray<Said>) => linesOf(imapTranscript(), [GREETING, ...said]).slice(1);

describe("the transcript of an IMAP conversation", () => {
  it("shows commands, tags, numbers, flags, codes and capabilities [S10.5-7]", () => {
    const said: ReadonlyArray<Said> = [
      ["C", "1 CAPABILITY\r\n"],
      ["S", "* CAPABILITY IMAP4rev1 IDLE AUTH=PLAIN\r\n1 OK done.\r\n"],
      ["C", '2 LIST "" "*" RETURN (SPECIAL-USE)\r\n'],
      ["S", '* LIST (\\HasNoChildren \\Sent) "/" "Sent Items"\r\n2 OK List completed.\r\n'],
      ["C", "3 SELECT INBOX (QRESYNC (7 19))\r\n"],
      ["S", "* 3 EXISTS\r\n* VANISHED (EARLIER) 41,43:116\r\n3 OK [READ-WRITE] Select completed.\r\n"],
      ["C", "4 UID STORE 5 +FLAGS (\\Seen $Junk)\r\n"],
      ["S", "* 2 FETCH (UID 5 MODSEQ (12) FLAGS (\\Seen $Junk))\r\n4 NO [LIMIT] Too many.\r\n"],
      ["C", "5 IDLE\r\n"],
      ["S", "+ idling\r\n"],
      ["C", "DONE\r\n"],
      ["S", "5 OK Idle completed.\r\n* BYE Logging out\r\n"],
    ];
    const whole = said.flatMap(([from, text]) =>
      text
        .trimEnd()
        .split("\r\n")
        .map((line) => `${from}: ${line}`),
    );
    assert.deepStrictEqual(imap(...said), whole);
  });

  it("shows only the command, the mechanism and the answer of a sign-in [S10.5-8]", () => {
    assert.deepStrictEqual(imap(["C", '1 LOGIN "jane" "hunter2"\r\n'], ["S", "1 NO [AUTHENTICATIONFAILED] No.\r\n"]), [
      "C: 1 LOGIN <removed>",
      "S: 1 NO [AUTHENTICATIONFAILED] No.",
    ]);
    assert.deepStrictEqual(
      imap(
        ["C", "1 LOGIN {4}\r\n"],
        ["S", "+ go on\r\n"],
        ["C", "jane {7}\r\n"],
        ["S", "+ go on\r\n"],
        ["C", "hunter2\r\n"],
        ["S", "1 OK Logged in\r\n"],
        ["C", "2 NOOP\r\n"],
      ),
      [
        "C: 1 LOGIN <removed>",
        "S: + <removed>",
        "C: <removed>",
        "S: + <removed>",
        "C: <removed>",
        "S: 1 OK Logged in",
        "C: 2 NOOP",
      ],
    );
    assert.deepStrictEqual(
      imap(
        ["C", "1 AUTHENTICATE XOAUTH2 dXNlcj1qYW5l\r\n"],
        ["S", "+ eyJzdGF0dXMiOiI0MDEifQ==\r\n"],
        ["C", "\r\n"],
        ["S", "1 NO Refused\r\n"],
      ),
      ["C: 1 AUTHENTICATE XOAUTH2 <removed>", "S: + <removed>", "C: <removed>", "S: 1 NO Refused"],
    );
  });

  it("shows the structure of messages, and only the size of their texts [S10.5-8]", () => {
    assert.deepStrictEqual(
      imap(
        ["C", "1 UID FETCH 5 (ENVELOPE BODYSTRUCTURE BODY.PEEK[HEADER.FIELDS (SUBJECT)])\r\n"],
        [
          "S",
          '* 1 FETCH (UID 5 INTERNALDATE "22-Nov-2026 13:00:00 +0000" ENVELOPE ("Sun" "Secret plan" (("Ann" NIL "ann" "x.test"))) ' +
            'BODYSTRUCTURE ("text" "plain" ("charset" "utf-8") NIL NIL "7bit" 12 1 NIL ("attachment" ("filename" "plan.pdf"))) ' +
            "BODY[HEADER.FIELDS (SUBJECT)] {24}\r\nSubject: Secret plan\r\n\r\n FLAGS (\\Seen))\r\n1 OK Fetch completed.\r\n",
        ],
      ),
      [
        "C: 1 UID FETCH 5 (ENVELOPE BODYSTRUCTURE BODY.PEEK[HEADER.FIELDS (SUBJECT)])",
        'S: * 1 FETCH (UID 5 INTERNALDATE "22-Nov-2026 13:00:00 +0000" ENVELOPE ("<3 removed>" "<11 removed>" (("<3 removed>" NIL "<3 removed>" "<6 removed>"))) ' +
          'BODYSTRUCTURE ("text" "plain" ("charset" "utf-8") NIL NIL "7bit" 12 1 NIL ("attachment" ("filename" "<8 removed>"))) ' +
          "BODY[HEADER.FIELDS (SUBJECT)] {24}",
        "S: <24 removed> FLAGS (\\Seen))",
        "S: 1 OK Fetch completed.",
      ],
    );
    assert.deepStrictEqual(
      imap(
        ["C", "1 APPEND Sent (\\Seen) {14}\r\n"],
        ["S", "+ OK\r\n"],
        ["C", "Subject: Plan\n\r\n"],
        ["S", "1 OK\r\n"],
      ),
      ["C: 1 APPEND Sent (\\Seen) {14}", "S: + OK", "C: <14 removed>", "S: 1 OK"],
    );
    assert.deepStrictEqual(imap(["C", '1 UID SEARCH RETURN (ALL) SINCE 1-Nov-2026 OR SUBJECT plan FROM "ann b"\r\n']), [
      "C: 1 UID SEARCH RETURN (ALL) SINCE 1-Nov-2026 OR SUBJECT <4 removed> FROM <5 removed>",
    ]);
  });

  it("removes lines that are not IMAP, except the first one, which shows what kind of server it is", () => {
    assert.deepStrictEqual(linesOf(imapTranscript(), [["S", "HTTP/1.1 400 Bad Request\r\nServer: nginx\r\n"]]), [
      "S: HTTP/1.1 400 Bad Request",
      "S: <13 removed>",
    ]);
    assert.deepStrictEqual(
      imap(["S", '9 OK of no command\r\n* 1 FETCH (UID 5 PREVIEW secret "and its half\r\n'], ["C", "1 XTOP plan\r\n"]),
      ["S: <18 removed>", "S: * 1 FETCH (UID 5 PREVIEW <6 removed> <13 removed>", "C: 1 XTOP<5 removed>"],
    );
  });

  it("reports an unfinished line of the server", () => {
    const transcript = imapTranscript();
    transcript.received(bytesOf("* OK\r\n* 1 FETCH (BODY[] {100}\r\n0123456789"));
    assert.strictEqual(transcript.unfinished(), "90 of 100 bytes of a literal were missing");
    transcript.received(bytesOf(`${"x".repeat(90)} FLA`));
    assert.strictEqual(transcript.unfinished(), "a line of 4 bytes had no end");
    transcript.received(bytesOf("GS ())\r\n"));
    assert.isNull(transcript.unfinished());
  });

  it("keeps no more of a line than it shows, and sees the literal at its end", () => {
    const long = `* 1 FETCH (BODYSTRUCTURE (${'"text" '.repeat(10_000)}) BODY[] {6}\r\nsecret)\r\n* 5 EXISTS\r\n`;
    const [first = "", ...others] = imap(["S", long]);
    assert.isAtMost(first.length, 16_500);
    assert.deepStrictEqual(others, ["S: <6 removed>)", "S: * 5 EXISTS"]);
  });
});

describe("the transcript of an SMTP conversation", () => {
  const smtp = (...said: ReadonlyArray<Said>) =>
    linesOf(smtpTranscript(), [["S", "220 mx.test ESMTP\r\n"], ...said]).slice(1);

  it("shows commands, addresses and replies, but only the mechanism and the last reply of a sign-in [S10.5-7] [S10.5-8]", () => {
    assert.deepStrictEqual(
      smtp(
        ["C", "EHLO host\r\n"],
        ["S", "250-mx.test\r\n250 AUTH LOGIN PLAIN\r\n"],
        ["C", "AUTH LOGIN\r\n"],
        ["S", "334 VXNlcm5hbWU6\r\n"],
        ["C", "amFuZQ==\r\n"],
        ["S", "334 UGFzc3dvcmQ6\r\n"],
        ["C", "aHVudGVyMg==\r\n"],
        ["S", "535-5.7.8 Username and Password not accepted.\r\n535 5.7.8 See help\r\n"],
        ["C", "MAIL FROM:<ann@x.test> SIZE=12\r\n"],
        ["S", "550 5.7.1 Not yours\r\n"],
        ["C", "hello\r\n"],
        ["S", "nonsense\r\n"],
      ),
      [
        "C: EHLO host",
        "S: 250-mx.test",
        "S: 250 AUTH LOGIN PLAIN",
        "C: AUTH LOGIN <removed>",
        "S: 334 <removed>",
        "C: <removed>",
        "S: 334 <removed>",
        "C: <removed>",
        "S: 535-5.7.8 Username and Password not accepted.",
        "S: 535 5.7.8 See help",
        "C: MAIL FROM:<ann@x.test> SIZE=12",
        "S: 550 5.7.1 Not yours",
        "C: <5 removed>",
        "S: <8 removed>",
      ],
    );
  });
});

/** A secret that no word of a protocol contains. */
const secret = fc.stringMatching(/^q[a-z]{5,12}7Q[ \w"\\äé]{0,12}$/);
const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
const literal = (text: string) => `{${bytesOf(text).length}}\r\n${text}`;
const pieces = fc.integer({ min: 1, max: 200 });

describe("nothing that is secret survives", () => {
  it("of a password, token or message, however it is written and cut into pieces", () => {
    const plain = (text: string) => Base64.encode(`\0jane\0${text}`);
    const shapes: ReadonlyArray<(text: string) => ReadonlyArray<Said>> = [
      (text) => [["C", `1 LOGIN jane ${quoted(text)}\r\n`]],
      (text) => [["C", `1 login jane ${literal(text)}\r\n`]],
      (text) => [["C", `1 AUTHENTICATE PLAIN ${plain(text)}\r\n`]],
      (text) => [
        ["C", "1 AUTHENTICATE PLAIN\r\n"],
        ["S", `+ ${text}\r\n`],
        ["C", `${plain(text)}\r\n`],
      ],
      (text) => [["C", `1 APPEND Sent ${literal(text)}\r\n`]],
      (text) => [["C", `1 SEARCH CHARSET UTF-8 TEXT ${quoted(text)} OR SUBJECT ${literal(text)} SEEN\r\n`]],
      (text) => [["S", `* 1 FETCH (BODY[] ${literal(text)} UID 4)\r\n`]],
      (text) => [["S", `* 1 FETCH (BODY[1]<0> ${quoted(text)} UID 4 FLAGS () PREVIEW ${quoted(text)})\r\n`]],
      (text) => [["S", `* 1 FETCH (ENVELOPE (NIL ${quoted(text)} ((${quoted(text)} NIL ${literal(text)}))))\r\n`]],
      (text) => [["S", `* 1 FETCH (BODYSTRUCTURE ("text" "plain" ("name" ${quoted(text)})))\r\n`]],
      (text) => [["S", `* 1 FETCH (BODY[TEXT] ${quoted(text).slice(0, -1)}\r\n`]],
      (text) => [["S", `${text}\r\n`]],
    ];
    fc.assert(
      fc.property(secret, fc.constantFrom(...shapes), pieces, (text, shape, size) => {
        const shown = linesOf(imapTranscript(), [GREETING, ...shape(text)], size).join("\n");
        for (const form of [text, plain(text)]) assert.notInclude(shown, form);
        assert.notMatch(shown, /q[a-z]{5,12}7Q/);
      }),
      { numRuns: 600 },
    );
  });

  it("of a sign-in over SMTP, whatever its mechanism", () => {
    const plain = (text: string) => Base64.encode(`\0jane\0${text}`);
    const shapes: ReadonlyArray<(text: string) => ReadonlyArray<Said>> = [
      (text) => [["C", `AUTH PLAIN ${plain(text)}\r\n`]],
      (text) => [
        ["C", "auth login\r\n"],
        ["S", `334 ${text}\r\n`],
        ["C", `${Base64.encode(text)}\r\n`],
        ["S", "334 UGFzc3dvcmQ6\r\n"],
        ["C", `${text}\r\n`],
      ],
      (text) => [
        ["C", `AUTH XOAUTH2 ${plain(text)}\r\n`],
        ["S", `334-${text}\r\n334 ${plain(text)}\r\n`],
        ["C", `${text}\r\n`],
      ],
      (text) => [
        ["C", `XAUTH ${text}\r\n`],
        ["S", `${text}\r\n`],
      ],
    ];
    fc.assert(
      fc.property(secret, fc.constantFrom(...shapes), pieces, (text, shape, size) => {
        const shown = linesOf(smtpTranscript(), [["S", "220 mx.test\r\n"], ...shape(text)], size).join("\n");
        for (const form of [plain(text), Base64.encode(text)]) assert.notInclude(shown, form);
        assert.notMatch(shown, /q[a-z]{5,12}7Q/);
      }),
      { numRuns: 300 },
    );
  });

  it("of a credential that a server repeats, as it is, quoted or encoded at any place [S10.5-9]", () => {
    const forms: ReadonlyArray<(text: string) => string> = [
      (text) => text,
      (text) => text.toUpperCase(),
      quoted,
      (text) => JSON.stringify(text),
      encodeURIComponent,
      (text) => Hex.encode(text),
      (text) => Base64.encode(text),
      (text) => Base64Url.encode(text),
      (text) => Base64.encode(`\0${text}`),
      (text) => Base64.encode(`\0a\0${text}x`),
      (text) => Base64.encode(`user=jo\u0001auth=Bearer ${text}\u0001\u0001`),
    ];
    fc.assert(
      fc.property(secret, fc.constantFrom(...forms), fc.string(), (text, form, around) => {
        assert.isTrue(holdsOneOf(["other", text])(`${around}${form(text)}${around}`), form(text));
      }),
      { numRuns: 600 },
    );
    assert.isFalse(holdsOneOf(["hunter2", ""])("535 5.7.8 not accepted"));
  });
});

describe("the bounds of a log", () => {
  it("keep the newest lines of a buffer, and count the others", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 30 }), { maxLength: 80 }), (lines) => {
        const bounds = { bytes: 200, lines: 10 };
        const buffer = new LineBuffer(bounds);
        for (const line of lines) buffer.add(line);
        const taken = buffer.take();
        assert.deepStrictEqual(taken.lines, lines.slice(taken.dropped));
        assert.isAtMost(taken.lines.length, bounds.lines);
        assert.isAtMost(taken.lines.join("").length, bounds.bytes);
        const oneMore = lines.slice(Math.max(0, taken.dropped - 1));
        assert.isTrue(taken.dropped === 0 || oneMore.length > bounds.lines || oneMore.join("").length > bounds.bytes);
        assert.deepStrictEqual(buffer.take(), { lines: [], dropped: 0 });
      }),
    );
  });

  it("keep the newest batches, and always the newest one", () => {
    const batch = (bytes: number, lines: number) => ({ bytes, lines });
    const [big, small, other] = [batch(90, 1), batch(10, 1), batch(1, 1)];
    assert.deepStrictEqual(findExcess([small, big, other], { bytes: 100, lines: 9 }), [other]);
    assert.deepStrictEqual(findExcess([small, big, other], { bytes: 101, lines: 2 }), [other]);
    assert.deepStrictEqual(findExcess([batch(500, 1), small], { bytes: 100, lines: 9 }), [small]);
    assert.deepStrictEqual(findExcess([], { bytes: 0, lines: 0 }), []);
  });

  it("turn a text into one printable line", () => {
    assert.strictEqual(printableLine("a\u0000b\u202ec\nd"), "a?b?c?d");
    assert.strictEqual(printableLine("x".repeat(1_003)), `${"x".repeat(1_000)} <3 more>`);
  });

  it("order the lines of all nodes by time, and keep the order of lines with the same time [S10.5-3]", () => {
    const at = (second: number, rest: string) => `2026-11-22T13:00:0${second}.000Z ${rest}`;
    assert.deepStrictEqual(sortLines([at(2, "b"), at(3, "b"), at(1, "a"), at(2, "a")]), [
      at(1, "a"),
      at(2, "b"),
      at(2, "a"),
      at(3, "b"),
    ]);
  });
});
