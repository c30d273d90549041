import { Mailbox } from "@postern/memory";
import { describe, expect, it } from "vitest";
import { type Charset, encodeText } from "../src/sandbox/charsets.ts";
import { compose, type Composition } from "../src/sandbox/compose.ts";
import { quotedPrintable } from "../src/sandbox/transfer-encodings.ts";

const message: Composition = {
  from: { name: "A", address: "a@postern.test" },
  to: [{ name: 'Doe, "J"', address: "j@postern.test" }],
  subject: "x",
  id: "<1@postern.test>",
  sentAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  text: "Text.\n",
};
const summaryOf = (composition: Composition) => new Mailbox(1).append(compose(composition), 0).summary;

describe("charsets", () => {
  const TEXTS: ReadonlyArray<readonly [Charset, string]> = [
    ["utf-8", "Ünï 日本 💌"],
    ["iso-8859-1", "Schöne Grüße, ça va ? 5 °C"],
    ["windows-1251", "Съешь ещё этих мягких булок №5"],
    ["koi8-r", "Съешь ещё этих мягких булок"],
    ["iso-2022-jp", "ASCII, 日本語と「かな」、ASCII\r\n955 × 1910"],
  ];
  it.each(TEXTS)("%s is read back by a decoder of it", (charset, text) => {
    expect(new TextDecoder(charset).decode(encodeText(text, charset))).toBe(text);
  });

  it("do not take what they lack", () => {
    expect(() => encodeText("日", "koi8-r")).toThrow("koi8-r has no 日");
  });

  it.each(TEXTS)("in %s a subject and a name come through", (charset, text) => {
    const name = text.split("\r\n")[0]!;
    const summary = summaryOf({ ...message, charset, subject: name.repeat(9), from: { name, address: "a@b.test" } });
    expect(summary.subject).toBe(name.repeat(9));
    expect(summary.from).toEqual({ name, address: "a@b.test" });
  });
});

describe("composing", () => {
  it("keeps lines within the limits of RFC 5322 and 2047, and header bytes ASCII", () => {
    const subject = `${"word ".repeat(100)}${"ÄÖÜ ".repeat(50)}${"日本語".repeat(60)}`.trim();
    const text = Buffer.from(
      compose({ ...message, subject, references: Array.from({ length: 30 }, (_, n) => `<${n}@postern.test>`) }),
    ).toString("latin1");
    const header = text.slice(0, text.indexOf("\r\n\r\n"));
    expect(header).toMatch(/^[\x20-\x7e\r\n]*$/);
    expect(Math.max(...header.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(78);
    for (const [word] of header.matchAll(/=\?[^ ]*\?=/g)) expect(word.length).toBeLessThanOrEqual(75);
    expect(summaryOf({ ...message, subject }).subject).toBe(subject);
  });

  it("keeps quoted-printable within 76 characters and whole", () => {
    const bytes = Buffer.from(`${"é=x ".repeat(80)}\r\nend `);
    const encoded = quotedPrintable(bytes);
    expect(Math.max(...encoded.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(76);
    const decoded = encoded
      .replaceAll("=\r\n", "")
      .replaceAll(/=([\dA-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    expect(Buffer.from(decoded, "latin1")).toEqual(bytes);
  });

  it("quotes names, dates and threads", () => {
    const summary = summaryOf({ ...message, cc: [{ name: "C (c)", address: "c@b.test" }] });
    expect(summary.to).toEqual([{ name: 'Doe, "J"', address: "j@postern.test" }]);
    expect(summary.cc).toEqual([{ name: "C (c)", address: "c@b.test" }]);
    expect(summary.sentAt).toBe(message.sentAt);
    expect(summary.messageId).toBe("<1@postern.test>");
  });

  it("nests alternative, related and mixed, and numbers the attachments as IMAP does", () => {
    const file = (name: string | null, contentId?: string) => ({
      name,
      type: "image/png",
      content: new Uint8Array(1000),
      ...(contentId === undefined ? {} : { contentId }),
    });
    const files = () => [file("naïve (1).png"), file(null, "in@place"), file('q"uote.png')];
    const { attachments } = summaryOf({ ...message, html: '<img src="cid:in@place">', files });
    expect(attachments.map(({ id, name, size }) => [id, name, size])).toEqual([
      ["2", "naïve (1).png", 1000],
      ["3", 'q"uote.png', 1000],
    ]);
  });
});
