import { assert, layer } from "@effect/vitest";
import type { Composition, MessageComposer } from "@postern/core/send";
import { StoreUnavailable } from "@postern/core/shared";
import { Effect, type Layer } from "effect";
import { errorOf } from "../error-of.ts";
import { attachmentOf, composePlain } from "./composed-message.ts";

/** The contract of `MessageComposer` (spec 6): RFC 5322 and MIME. */
export const messageComposerContract = <E>(name: string, live: Layer.Layer<MessageComposer, E>): void =>
  layer(live, { excludeTestServices: true })(name, (it) => {
    const headerOf = (raw: string) =>
      raw
        .slice(0, raw.indexOf("\r\n\r\n"))
        .replaceAll(/\r\n[ \t]+/g, " ")
        .split("\r\n");

    it.effect("writes the header fields of a message and its conversation", () =>
      Effect.gen(function* () {
        const raw = yield* composePlain({
          inReplyTo: "<one@x.test>",
          references: ["<zero@x.test>", "<one@x.test>"],
          headers: [["X-Own", "value"]],
        });
        assert.includeMembers(headerOf(raw), [
          "From: me@x.test",
          'To: "Roe, Jane" <jane@y.test>',
          "Subject: Hello",
          "Message-ID: <out_1@x.test>",
          "In-Reply-To: <one@x.test>",
          "References: <zero@x.test> <one@x.test>",
          "Date: Fri, 02 Jan 2026 03:04:05 +0000",
          "MIME-Version: 1.0",
          "X-Own: value",
        ]);
      }),
    );

    it.effect("writes short ASCII lines that end in CR LF for any text", () =>
      Effect.gen(function* () {
        const raw = yield* composePlain({
          subject: `Grüße ${"💌".repeat(100)}`,
          to: [{ name: "日本語の名前", address: "jp@y.test" }],
          text: `hi\n.\n${"x".repeat(2_000)}\nGrüße\r\n`,
          html: `<p>${"Grüße 💌".repeat(300)}</p>`,
        });
        for (const line of raw.split("\r\n")) {
          assert.isAtMost(line.length, 998);
          assert.match(line, /^[\t\x20-\x7e]*$/);
        }
      }),
    );

    it.effect("includes the bytes of attached and inline files", () =>
      Effect.gen(function* () {
        const raw = yield* composePlain(
          {
            html: '<img src="cid:pic@x">',
            attachments: [attachmentOf("notes.txt"), attachmentOf("pic.png", "pic@x", "image/png")],
          },
          { "notes.txt": "attached bytes ✓", "pic.png": "inline bytes" },
        );
        for (const bytes of ["attached bytes ✓", "inline bytes"]) {
          assert.include(raw, Buffer.from(bytes).toString("base64"));
        }
        assert.match(raw, /Content-Disposition: attachment; filename="?notes\.txt/);
        assert.include(raw, "Content-ID: <pic@x>");
        assert.match(raw, /Content-Disposition: inline; filename="?pic\.png/);
      }),
    );

    it.effect("writes Bcc only in the copy in Sent", () =>
      Effect.gen(function* () {
        assert.notInclude(yield* composePlain({}), "hidden@y.test");
        assert.include(headerOf(yield* composePlain({ showBcc: true })), "Bcc: hidden@y.test");
      }),
    );

    it.effect("composes the same bytes each time", () =>
      Effect.gen(function* () {
        const message = { html: "<p>x</p>", attachments: [attachmentOf("a.txt")] };
        const files = { "a.txt": "bytes" };
        assert.strictEqual(yield* composePlain(message, files), yield* composePlain(message, files));
      }),
    );

    it.effect("fails if a file cannot be read", () =>
      Effect.gen(function* () {
        const error = yield* errorOf(composePlain({ attachments: [attachmentOf("gone")] }));
        assert.instanceOf(error, StoreUnavailable);
      }),
    );

    for (const [field, message] of Object.entries<Partial<Composition>>({
      subject: { subject: "x\r\nBcc: evil@x" },
      name: { to: [{ name: "x\nBcc: evil@x", address: "a@b.c" }] },
      address: { to: [{ name: "", address: "a@b.c>\r\nBcc: <evil@x" }] },
      header: { headers: [["X-A", "b\rBcc: evil@x"]] },
      "header name": { headers: [["X-A\r\nBcc", "evil@x"]] },
      "file name": { attachments: [attachmentOf("a\r\nBcc: evil@x")] },
      "file type": { attachments: [attachmentOf("a", null, "text/plain\r\nBcc: evil@x")] },
      "Message-ID": { inReplyTo: "<a>\r\nBcc: evil@x" },
    })) {
      it.effect(`writes no line break in ${field}`, () =>
        Effect.gen(function* () {
          const exit = yield* Effect.exit(composePlain(message, {}));
          assert.strictEqual(exit._tag, "Failure");
          assert.match(String(exit), /line break/);
        }),
      );
    }
  });
