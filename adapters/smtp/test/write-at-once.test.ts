import { assert, describe, it } from "@effect/vitest";
import fc from "fast-check";
import MailComposer from "nodemailer/lib/mail-composer";
import { writeAtOnce } from "../src/send/MessageComposer.ts";

const compiled = (mail: { readonly text?: string; readonly html?: string; readonly subject: string }) =>
  new MailComposer({
    ...mail,
    newline: "\r\n",
    baseBoundary: "b",
    messageId: "<a@b.test>",
    date: "Fri, 02 Jan 2026 03:04:05 +0000",
    from: { name: mail.subject, address: "me@x.test" },
    to: "you@y.test",
  }).compile();

/** Removes the soft line breaks of quoted-printable. A stream encodes a text in parts, and breaks some lines at other places. */
const joined = (message: string): string => message.replaceAll("=\r\n", "");

const body = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."ab =.\t\r\n-ü日💌"), maxLength: 400 }),
  fc.string({ unit: fc.constantFrom(..."word .\n"), maxLength: 400 }),
  fc.string({ unit: fc.constantFrom(..."日本\n"), maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.constantFrom("", "\n", "\r", " ", "x".repeat(2_000), "word ".repeat(400), "Grüße ".repeat(2_000)),
);

describe("a message without files", () => {
  it("is what nodemailer streams, for any bodies and texts in the header", async () => {
    const mails = fc.record(
      { text: body, html: body, subject: fc.string({ unit: fc.constantFrom(...'a ü"<>日'), maxLength: 60 }) },
      { requiredKeys: ["subject"] },
    );
    await fc.assert(
      fc.asyncProperty(mails, async (mail) => {
        const streamed = (await compiled(mail).build()).toString("latin1");
        const written = Buffer.from(writeAtOnce(compiled(mail))).toString("latin1");
        assert.strictEqual(joined(written), joined(streamed));
        for (const line of written.split("\r\n")) assert.isAtMost(line.length, 76);
      }),
      { numRuns: 200 },
    );
  });
});
