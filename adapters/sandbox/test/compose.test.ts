import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { type Charset, encodeText } from "../src/letters/charsets.ts";
import { compose, type Composition } from "../src/letters/compose.ts";

const message: Composition = {
  from: { name: "A", address: "a@postern.test" },
  to: [{ name: 'Doe, "J"', address: "j@postern.test" }],
  subject: "x",
  id: "<1@postern.test>",
  sentAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  text: "Text.\n",
};
const rawOf = (composition: Composition) => Buffer.from(compose(composition)).toString("latin1");
const read = (composition: Composition) => PostalMime.parse(compose(composition));

const TEXTS: ReadonlyArray<readonly [Charset, string]> = [
  ["utf-8", "Ünï 日本 💌"],
  ["iso-8859-1", "Schöne Grüße, ça va ? 5 °C"],
  ["windows-1251", "Съешь ещё этих мягких булок №5"],
  ["koi8-r", "Съешь ещё этих мягких булок"],
  ["iso-2022-jp", "ASCII, 日本語と「かな」、ASCII\n955 × 1910"],
];

describe("charsets", () => {
  it.each(TEXTS)("%s is decoded to the original text", (charset, text) => {
    expect(new TextDecoder(charset).decode(encodeText(text, charset))).toBe(text);
  });

  it("refuses characters that a charset lacks", () => {
    expect(() => encodeText("日", "koi8-r")).toThrow("koi8-r has no 日");
  });
});

describe("composing", () => {
  it.each(TEXTS)("in %s a text, a subject and a name are decoded to the originals", async (charset, text) => {
    const name = text.split("\n")[0]!;
    for (const encoding of [undefined, "quoted-printable", "base64"] as const) {
      const own = {
        ...message,
        charset,
        text: `${text}\n`,
        subject: name.repeat(9),
        from: { name, address: "a@b.test" },
      };
      const composition = encoding === undefined ? own : { ...own, encoding };
      expect(rawOf(composition)).toContain(`charset=${charset}`);
      const email = await read(composition);
      expect(email.text?.replaceAll("\r\n", "\n")).toBe(`${text}\n`);
      expect(email.subject).toBe(name.repeat(9));
      expect(email.from).toEqual({ name, address: "a@b.test" });
    }
  });

  it("keeps lines within the limits of RFC 5322, 2045 and 2047, and bytes ASCII", async () => {
    const subject = `${"word ".repeat(100)}${"ÄÖÜ ".repeat(50)}${"日本語".repeat(60)}`.trim();
    const references = Array.from({ length: 30 }, (_, n) => `<${n}@postern.test>`);
    const long = { ...message, subject, references, text: `${"é=x ".repeat(80)}\nend \n`, html: "日".repeat(500) };
    const raw = rawOf(long);
    expect(raw).toMatch(/^[\x20-\x7e\r\n]*$/);
    expect(raw).not.toMatch(/(?<!\r)\n/);
    expect(Math.max(...raw.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(78);
    for (const [word] of raw.matchAll(/=\?[^ ]*\?=/g)) expect(word.length).toBeLessThanOrEqual(75);
    expect(await read(long)).toMatchObject({ subject, text: long.text, references: references.join(" ") });
  });

  it("writes names in quotes, the date, the thread and further fields", async () => {
    const fields = [["List-Id", '"A & B" <list.postern.test>']] as const;
    const email = await read({ ...message, cc: [{ name: "C (c)", address: "c@b.test" }], headers: fields });
    expect(email.to).toEqual([{ name: 'Doe, "J"', address: "j@postern.test" }]);
    expect(email.cc).toEqual([{ name: "C (c)", address: "c@b.test" }]);
    expect(email.date).toBe(new Date(message.sentAt).toISOString());
    expect(email.messageId).toBe("<1@postern.test>");
    expect(email.headers.find(({ key }) => key === "list-id")?.value).toBe('"A & B" <list.postern.test>');
    expect(email.headers[0]).toMatchObject({ key: "received" });
  });

  it("writes no subject if none is given", async () => {
    expect(rawOf({ ...message, subject: null })).not.toMatch(/^subject:/im);
  });

  it("nests alternative, related and mixed, with the same bytes each time", async () => {
    const file = (name: string | null, contentId?: string) => ({
      name,
      type: "image/png",
      content: new Uint8Array(1000),
      ...(contentId === undefined ? {} : { contentId }),
    });
    const files = () => [file("naïve (1).png"), file(null, "in@place"), file('q"uote.png')];
    const nested = { ...message, html: '<img src="cid:in@place">', files };
    expect([...rawOf(nested).matchAll(/multipart\/\w+/g)].map(([type]) => type)).toEqual([
      "multipart/mixed",
      "multipart/alternative",
      "multipart/related",
    ]);
    const { attachments } = await read(nested);
    expect(attachments.map(({ filename, disposition, contentId }) => [filename, disposition, contentId])).toEqual([
      [null, "inline", "<in@place>"],
      ["naïve (1).png", "attachment", undefined],
      ['q"uote.png', "attachment", undefined],
    ]);
    for (const { content } of attachments) expect((content as ArrayBuffer).byteLength).toBe(1000);
    expect(rawOf(nested)).toBe(rawOf(nested));
  });
});
