import { assert, type Vitest } from "@effect/vitest";
import type { CredentialVault } from "@postern/core/auth";
import type { MailboxReader } from "@postern/core/messages";
import { Effect } from "effect";
import { base64Lines, crlfLines, messageOf, multipart, type Part } from "../../fixtures/mail-messages.ts";
import type { MailServerControl } from "../../controls/MailServerControl.ts";
import { summaryOf } from "./mail-summaries.ts";

const TEXT: Part = { headers: ["Content-Type: text/plain; charset=utf-8"], body: "Text." };
const HTML: Part = { headers: ["Content-Type: text/html; charset=utf-8"], body: "<p>Text.</p>" };

const file = (bytes: number, ...headers: ReadonlyArray<string>): Part => ({
  headers: [...headers, "Content-Transfer-Encoding: base64"],
  body: base64Lines(new Uint8Array(bytes).fill(7)),
});

/** Attachments in order: section number, name, type. */
type Shown = ReadonlyArray<readonly [id: string, name: string | null, type: string]>;

const CASES: ReadonlyArray<readonly [what: string, raw: string, shown: Shown]> = [
  ["a text alone has none", messageOf(TEXT), []],
  ["text and its HTML have none", messageOf(multipart("alternative", "b1", [TEXT, HTML])), []],
  [
    "a file beside the text",
    messageOf(
      multipart("mixed", "b1", [
        TEXT,
        file(10, "Content-Type: application/pdf", "Content-Disposition: attachment; filename=report.pdf"),
      ]),
    ),
    [["2", "report.pdf", "application/pdf"]],
  ],
  [
    "a message that is a file",
    messageOf(file(10, 'Content-Type: application/pdf; name="whole.pdf"')),
    [["1", "whole.pdf", "application/pdf"]],
  ],
  [
    "a text sent as a file, named by its type or not at all",
    messageOf(
      multipart("mixed", "b1", [
        TEXT,
        { headers: ['Content-Type: text/csv; name="table.csv"'], body: "a,b" },
        { headers: ["Content-Type: text/plain", "Content-Disposition: attachment"], body: "notes" },
      ]),
    ),
    [
      ["2", "table.csv", "text/csv"],
      ["3", null, "text/plain"],
    ],
  ],
  [
    "names in RFC 2231, in parts, and in encoded words",
    messageOf(
      multipart("mixed", "b1", [
        file(
          1,
          "Content-Type: image/png",
          "Content-Disposition: attachment; filename*=utf-8''na%C3%AFve%20%E6%97%A5.png",
        ),
        file(
          1,
          "Content-Type: image/png",
          `Content-Disposition: attachment; filename*0*=utf-8''M%C3%BC;\r\n filename*1="ller and";\r\n filename*2*=%20sons.png`,
        ),
        file(1, 'Content-Type: image/png; name="=?utf-8?B?w4lhLnBuZw==?="', "Content-Disposition: attachment"),
        file(1, "Content-Type: image/png", 'Content-Disposition: attachment; filename="two words; (1).png"'),
      ]),
    ),
    [
      ["1", "naïve 日.png", "image/png"],
      ["2", "Müller and sons.png", "image/png"],
      ["3", "Éa.png", "image/png"],
      ["4", "two words; (1).png", "image/png"],
    ],
  ],
  [
    "an inline image of the HTML is none, unless it has a name",
    messageOf(
      multipart("mixed", "b1", [
        multipart("related", "b2", [
          multipart("alternative", "b3", [TEXT, HTML]),
          file(5, "Content-Type: image/png", "Content-ID: <one@x>", "Content-Disposition: inline"),
          file(5, "Content-Type: image/gif", "Content-ID: <two@x>"),
          file(5, "Content-Type: image/png", "Content-ID: <three@x>", "Content-Disposition: inline; filename=logo.png"),
        ]),
        file(5, "Content-Type: image/png", "Content-Disposition: inline"),
      ]),
    ),
    [
      ["1.4", "logo.png", "image/png"],
      ["2", null, "image/png"],
    ],
  ],
  [
    "a forwarded message is one, its attachments are not",
    messageOf(
      multipart("mixed", "b1", [
        TEXT,
        {
          headers: ["Content-Type: message/rfc822", "Content-Disposition: attachment; filename=fwd.eml"],
          body: messageOf(
            multipart("mixed", "b2", [
              TEXT,
              file(5, "Content-Type: image/png", "Content-Disposition: attachment; filename=x.png"),
            ]),
          ),
        },
        { headers: ["Content-Type: message/rfc822"], body: messageOf(TEXT, ["Subject: inner"]) },
      ]),
    ),
    [
      ["2", "fwd.eml", "message/rfc822"],
      ["3", null, "message/rfc822"],
    ],
  ],
  [
    "an empty multipart has none",
    messageOf({ headers: ['Content-Type: multipart/mixed; boundary="b"'], body: "" }),
    [],
  ],
  ["a broken type has none", crlfLines("Content-Type: ;;;", "", "Text."), []],
];

/** The part of the MailboxReader contract about attachments (spec 5). */
export const mailAttachments = (
  it: Vitest.MethodsNonLive<MailboxReader | CredentialVault | MailServerControl>,
): void => {
  for (const [what, raw, shown] of CASES) {
    it.effect(`attachments: ${what}`, () =>
      Effect.gen(function* () {
        const { attachments } = yield* summaryOf(raw);
        const seen: Shown = attachments.map(({ id, name, type }) => [id, name, type]);
        assert.deepStrictEqual(seen, shown);
      }),
    );
  }

  it.effect("attachments: the size is estimated to within two bytes", () =>
    Effect.gen(function* () {
      const sizes = [0, 1, 2, 3, 56, 57, 58, 113, 114, 115, 5_000, 57 * 400, 100_001];
      const parts = sizes.map((bytes) => file(bytes, "Content-Type: application/octet-stream"));
      const { attachments } = yield* summaryOf(messageOf(multipart("mixed", "b1", parts)));
      assert.strictEqual(attachments.length, sizes.length);
      for (const [n, bytes] of sizes.entries()) {
        assert.approximately(attachments[n]!.size, bytes, 2);
        assert.isTrue(Number.isInteger(attachments[n]!.size) && attachments[n]!.size >= 0);
      }
    }),
  );

  it.effect("attachments: without an encoding the size is exact", () =>
    Effect.gen(function* () {
      const part = {
        headers: ["Content-Type: text/csv", "Content-Disposition: attachment"],
        body: "a,b\r\n".repeat(30),
      };
      const { attachments } = yield* summaryOf(messageOf(multipart("mixed", "b1", [part])));
      assert.deepStrictEqual(
        attachments.map(({ size }) => size),
        [150],
      );
    }),
  );
};
