import { assert, describe, it } from "@effect/vitest";
import type { Composition } from "@postern/core/send";
import { attachmentOf, composePlain, messageComposerContract } from "@postern/testkit";
import { Effect } from "effect";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { MessageComposerByNodemailer } from "../src/index.ts";

const writeAndRead = (message: Partial<Composition>, files: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(Effect.provide(composePlain(message, files), MessageComposerByNodemailer), (raw) =>
    Effect.promise(async () => ({ raw, parsed: await PostalMime.parse(Buffer.from(raw, "latin1")) })),
  );

messageComposerContract("MessageComposer by nodemailer", MessageComposerByNodemailer);

describe("a composed message", () => {
  it.effect("parses back equal: names, subject, both bodies, ids and headers", () =>
    Effect.gen(function* () {
      const message = {
        to: [
          { name: "Jürgen „Löwe“ Groß", address: "j@y.test" },
          { name: "Roe, Jane", address: "jane@y.test" },
        ],
        cc: [{ name: "日本語の名前", address: "jp@y.test" }],
        replyTo: [{ name: "", address: "reply@y.test" }],
        subject: "Grüße ✓ =?utf-8?Q?not_encoded?= 💌",
        text: "hi\n.\nthere\n" + "x".repeat(2_000) + "\nGrüße\n",
        html: "<p>Grüße 💌</p>",
        inReplyTo: "<one@x.test>",
        references: ["<zero@x.test>", "<one@x.test>"],
        headers: [["X-Unused", "wärt"]] as const,
      };
      const { raw, parsed } = yield* writeAndRead(message);
      assert.deepStrictEqual(
        parsed.to?.map(({ name, address }) => ({ name, address })),
        message.to,
      );
      assert.strictEqual(parsed.cc?.[0]?.name, "日本語の名前");
      assert.strictEqual(parsed.replyTo?.[0]?.address, "reply@y.test");
      assert.strictEqual(parsed.from?.address, "me@x.test");
      assert.strictEqual(parsed.subject, message.subject);
      assert.strictEqual(parsed.text?.replaceAll("\r\n", "\n").trimEnd(), message.text.trimEnd());
      assert.include(parsed.html, message.html);
      assert.strictEqual(parsed.messageId, "<out_1@x.test>");
      assert.strictEqual(parsed.inReplyTo, "<one@x.test>");
      assert.strictEqual(parsed.references, "<zero@x.test> <one@x.test>");
      assert.strictEqual(parsed.date, "2026-01-02T03:04:05.000Z");
      assert.strictEqual(parsed.headers.find(({ key }) => key === "x-unused")?.value, "=?UTF-8?Q?w=C3=A4rt?=");
      // eslint-disable-next-line no-control-regex
      assert.match(raw, /^[\0-\x7f]*$/, "it goes through servers without 8BITMIME");
      for (const line of raw.split("\r\n")) assert.isAtMost(line.length, 998);
      assert.notMatch(raw, /(?<!\r)\n|\r(?!\n)/);
    }),
  );

  it.effect("contains files, attached and inline, with names in every script", () =>
    Effect.gen(function* () {
      const { parsed } = yield* writeAndRead(
        {
          html: '<img src="cid:pic@x">',
          attachments: [
            attachmentOf("nötes.txt"),
            attachmentOf("日本.txt"),
            attachmentOf("pic.png", "pic@x", "image/png"),
          ],
        },
        { "nötes.txt": "attached bytes ✓", "日本.txt": "", "pic.png": "\x89PNG" },
      );
      const [notes, empty, picture] = ["nötes.txt", "日本.txt", "pic.png"].map((name) =>
        parsed.attachments.find(({ filename }) => filename === name),
      );
      assert.strictEqual(Buffer.from(notes!.content as ArrayBuffer).toString(), "attached bytes ✓");
      assert.strictEqual(Buffer.from(empty!.content as ArrayBuffer).length, 0);
      assert.deepInclude(picture, { disposition: "inline", contentId: "<pic@x>", mimeType: "image/png" });
    }),
  );

  it.effect("opens no file and no URL named in its fields", () =>
    Effect.gen(function* () {
      const { parsed } = yield* writeAndRead(
        {
          text: "file:///etc/passwd",
          html: '<img src="file:///etc/passwd"><img src="http://127.0.0.1:1/x">',
          attachments: [
            attachmentOf("/etc/passwd"),
            attachmentOf("http://127.0.0.1:1/x"),
            attachmentOf("data:text/plain,x"),
          ],
        },
        { "/etc/passwd": "mine", "http://127.0.0.1:1/x": "mine", "data:text/plain,x": "mine" },
      );
      assert.lengthOf(parsed.attachments, 3);
      for (const { content } of parsed.attachments)
        assert.strictEqual(Buffer.from(content as ArrayBuffer).toString(), "mine");
      assert.strictEqual(parsed.text?.trim(), "file:///etc/passwd");
    }),
  );

  it("adds no header field for any text in a draft", async () => {
    const text = fc.string({ unit: fc.constantFrom(...'aü:;,<>"\\=? 日💌()@\t'.replace("\t", "")), maxLength: 120 });
    await fc.assert(
      fc.asyncProperty(text, text, async (subject, name) => {
        const { raw, parsed } = await Effect.runPromise(
          writeAndRead({ subject, to: [{ name, address: "a@y.test" }], headers: [["X-A", subject]] }),
        );
        const allowed = new Set(
          ["from", "to", "subject", "message-id", "date", "x-a", "mime-version", "content-type"].concat(
            "content-transfer-encoding",
          ),
        );
        for (const { key } of parsed.headers) assert.isTrue(allowed.has(key), `${key} in ${raw}`);
        assert.deepStrictEqual(
          parsed.to?.map(({ address }) => address),
          ["a@y.test"],
        );
      }),
      { numRuns: 100 },
    );
  });
});
