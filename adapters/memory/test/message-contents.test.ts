import { describe, expect, it } from "vitest";
import { messageContents } from "../src/mail/message-contents.ts";

const read = (...lines: ReadonlyArray<string>) =>
  messageContents(Buffer.from(`${lines.join("\r\n")}\r\n\r\nText.\r\n`));

/** Dovecot's ENVELOPE and BODYSTRUCTURE of the same bytes, beyond the contract. */
describe("message contents equal Dovecot's", () => {
  it.each([
    [
      "addresses of several fields add up",
      ["To: a@b.c", "To: D <d@e.f>"],
      {
        to: [
          { name: "", address: "a@b.c" },
          { name: "D", address: "d@e.f" },
        ],
      },
    ],
    ["of several subjects the last counts", ["Subject: two", "SUBJECT: last"], { subject: "last" }],
    [
      "a single word is a mailbox without a domain",
      ["From: Undisclosed"],
      { from: { name: "", address: "Undisclosed" } },
    ],
    [
      "quotes within an encoded name are dropped",
      ["From: =?utf-8?Q?=22A=2C_B=22?= <a@b.c>"],
      { from: { name: "A, B", address: "a@b.c" } },
    ],
    ["a field folded before its value", ["Message-ID:", " <folded@y>"], { messageId: "<folded@y>" }],
    ["a name before its colon", ["Subject : spaced"], { subject: "spaced" }],
  ] as const)("%s", (_, header, expected) => {
    expect(read(...header)).toMatchObject(expected);
  });

  it.each([
    ["filename*=iso-8859-1'de'%FC.txt; filename=u.txt", "ü.txt"],
    ['filename="q\\"uo.te"', 'q"uo.te'],
    ['filename*0="a"; filename*1="b.c"', "ab.c"],
    ["filename=un quoted.txt", "un"],
    ["filename=é.txt", "é.txt"],
    ['filename=""', null],
  ])("an attachment with %s is named %j", (parameters, name) => {
    const { attachments } = read("Content-Type: image/png", `Content-Disposition: attachment; ${parameters}`);
    expect(attachments).toMatchObject([{ id: "1", name, type: "image/png" }]);
  });

  it.each([
    ["image/png (comment)", "image/png"],
    ["image / png", "image/png"],
    ["IMAGE/PNG", "image/png"],
  ])("the type %j is %s", (given, type) => {
    const { attachments } = read(`Content-Type: ${given}; name=x`);
    expect(attachments).toMatchObject([{ name: "x", type }]);
  });

  it("an invalid type has no name", () => {
    expect(read("Content-Type: image; name=x").attachments).toEqual([]);
  });

  it("parts of a digest are messages, and a boundary does not match a longer one", () => {
    const raw = [
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "preamble",
      "--b ",
      'Content-Type: multipart/digest; boundary="b1"',
      "",
      "--b1",
      "",
      "Subject: inner",
      "--b1--",
      "--b",
      "Content-Type: application/pdf",
      "",
      "x",
      "--b--",
      "",
    ].join("\r\n");
    const { attachments } = messageContents(Buffer.from(raw));
    expect(attachments.map(({ id, type }) => [id, type])).toEqual([
      ["1.1", "message/rfc822"],
      ["2", "application/pdf"],
    ]);
  });
});
