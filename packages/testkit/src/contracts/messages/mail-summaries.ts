import { assert, type Vitest } from "@effect/vitest";
import { type MessageSummary, MAX_ADDRESSES, MAX_ATTACHMENTS } from "@postern/core/mail";
import type { CredentialVault } from "@postern/core/auth";
import { MailboxReader } from "@postern/core/messages";
import { Effect } from "effect";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { crlfLines, plainMessage } from "../../fixtures/mail-messages.ts";
import { type AppendOptions, MailServerControl } from "../../controls/MailServerControl.ts";

/** Delivers a message to INBOX and returns its summary. */
export const summaryOf = Effect.fnUntraced(function* (raw: string, options?: AppendOptions) {
  const control = yield* MailServerControl;
  const reader = yield* MailboxReader;
  const { account } = yield* signedInAccount;
  const uid = yield* control.append(account, "INBOX", raw, options);
  const view = yield* reader.view(account, "INBOX");
  const messages = yield* view.messages(1, 1);
  assert.strictEqual(messages.length, 1);
  assert.strictEqual(messages[0]!.uid, uid);
  return messages[0]!;
});

const HEADERS: ReadonlyArray<readonly [what: string, headers: ReadonlyArray<string>, shown: Partial<MessageSummary>]> =
  [
    [
      "encoded words in a subject, also several in a row",
      ["Subject: =?utf-8?B?R3LDvMOfZQ==?= =?iso-8859-1?Q?_aus_K=F6ln?= to you"],
      { subject: "Grüße aus Köln to you" },
    ],
    ["a subject over several lines", ["Subject: one", " two", " three"], { subject: "one two three" }],
    ["a subject in plain UTF-8", ["Subject: Grüße 日本"], { subject: "Grüße 日本" }],
    ["an empty subject", ["Subject: "], { subject: "" }],
    ["no subject", [], { subject: "" }],
    [
      "a quoted name with a comma",
      ['From: "Doe, Jane" <jane@example.org>'],
      { from: { name: "Doe, Jane", address: "jane@example.org" } },
    ],
    [
      "a name that contains quotes",
      ['From: "Jane \\"JD\\" Doe" <jane@example.org>'],
      { from: { name: 'Jane "JD" Doe', address: "jane@example.org" } },
    ],
    [
      "an encoded name",
      ["From: =?utf-8?Q?Ren=C3=A9e?= <r@example.org>"],
      { from: { name: "Renée", address: "r@example.org" } },
    ],
    ["an address alone", ["From: r@example.org"], { from: { name: "", address: "r@example.org" } }],
    [
      "the first of several senders",
      ["From: a@example.org, b@example.org"],
      { from: { name: "", address: "a@example.org" } },
    ],
    ["no sender", [], { from: null }],
    [
      "several recipients",
      ["To: A <a@example.org>, b@example.org,", " =?utf-8?B?w4k=?= <c@example.org>", "Cc: d@example.org"],
      {
        to: [
          { name: "A", address: "a@example.org" },
          { name: "", address: "b@example.org" },
          { name: "É", address: "c@example.org" },
        ],
        cc: [{ name: "", address: "d@example.org" }],
      },
    ],
    [
      "the members of groups, not the groups",
      ["To: Friends: A <a@example.org>, b@example.org;, c@example.org", "Cc: undisclosed-recipients:;"],
      {
        to: [
          { name: "A", address: "a@example.org" },
          { name: "", address: "b@example.org" },
          { name: "", address: "c@example.org" },
        ],
        cc: [],
      },
    ],
    ["no recipients", [], { to: [], cc: [] }],
    ["a Message-ID", ["Message-ID: <a.b@example.org>"], { messageId: "<a.b@example.org>" }],
    ["no Message-ID", [], { messageId: null }],
    [
      "a Date with a time zone",
      ["Date: Tue, 07 Jan 2025 08:09:10 -0330"],
      { sentAt: Date.UTC(2025, 0, 7, 11, 39, 10) },
    ],
    ["a Date that is none", ["Date: next Thursday, perhaps"], { sentAt: null }],
    ["no Date", [], { sentAt: null }],
  ];

/** The part of the MailboxReader contract about headers, flags, times and sizes (spec 5). */
export const mailSummaries = (it: Vitest.MethodsNonLive<MailboxReader | CredentialVault | MailServerControl>): void => {
  it.effect("returns every field of a summary [S5.2-1]", () =>
    Effect.gen(function* () {
      const raw = crlfLines(
        "From: Jane <jane@example.org>",
        "To: b@example.org",
        "Cc: C <c@example.org>",
        "Subject: All there",
        "Message-ID: <1@example.org>",
        "Date: Mon, 06 Jan 2025 10:00:00 +0100",
        "",
        "Grüße",
      );
      const arrivedAt = Date.UTC(2025, 1, 3, 4, 5, 6);
      const { uid: _, ...shown } = yield* summaryOf(raw, { arrivedAt });
      assert.deepStrictEqual(shown, {
        messageId: "<1@example.org>",
        threadId: shown.threadId,
        subject: "All there",
        from: { name: "Jane", address: "jane@example.org" },
        to: [{ name: "", address: "b@example.org" }],
        cc: [{ name: "C", address: "c@example.org" }],
        toCount: 1,
        ccCount: 1,
        arrivedAt,
        sentAt: Date.UTC(2025, 0, 6, 9),
        unread: true,
        flagged: false,
        answered: false,
        draft: false,
        labels: [],
        size: Buffer.byteLength(raw),
        attachments: [],
        attachmentCount: 0,
      });
      assert.isTrue(shown.threadId === null || shown.threadId.length > 0);
    }),
  );

  it.effect("has the first addresses of a field, and counts all", () =>
    Effect.gen(function* () {
      const crowd = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}${n}@example.org`);
      const raw = crlfLines(
        "From: jane@example.org",
        `To: ${crowd("t", MAX_ADDRESSES + 50).join(",\r\n ")}`,
        `Cc: ${crowd("c", MAX_ADDRESSES).join(",\r\n ")}`,
        "Subject: Crowd",
        "",
        "Text.",
      );
      const { to, cc, toCount, ccCount, subject } = yield* summaryOf(raw);
      assert.deepStrictEqual(
        to.map(({ address }) => address),
        crowd("t", MAX_ADDRESSES),
      );
      assert.strictEqual(cc.length, MAX_ADDRESSES);
      assert.deepStrictEqual([toCount, ccCount, subject], [MAX_ADDRESSES + 50, MAX_ADDRESSES, "Crowd"]);
    }),
  );

  it.effect("has the first attachments, and counts all", () =>
    Effect.gen(function* () {
      const file = (n: number) => ["--b", `Content-Disposition: attachment; filename="${n}.csv"`, "", `${n}`];
      const { attachments, attachmentCount } = yield* summaryOf(
        crlfLines(
          "From: jane@example.org",
          "MIME-Version: 1.0",
          'Content-Type: multipart/mixed; boundary="b"',
          "",
          ...Array.from({ length: MAX_ATTACHMENTS + 5 }, (_, n) => file(n)).flat(),
          "--b--",
        ),
      );
      assert.deepStrictEqual([attachments.length, attachmentCount], [MAX_ATTACHMENTS, MAX_ATTACHMENTS + 5]);
      assert.strictEqual(attachments.at(-1)?.name, `${MAX_ATTACHMENTS - 1}.csv`);
    }),
  );

  for (const [what, headers, shown] of HEADERS) {
    it.effect(`headers: ${what}`, () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* summaryOf(crlfLines("X-Test: yes", ...headers, "", "Text.")), shown);
      }),
    );
  }

  it.effect("the messages of one conversation have the same threadId, and other messages have different ones", () =>
    Effect.gen(function* () {
      const control = yield* MailServerControl;
      const { account } = yield* signedInAccount;
      const CONVERSATION = [
        ["Message-ID: <thread-1@x>"],
        ["Message-ID: <thread-2@x>", "In-Reply-To: <thread-1@x>"],
        ["Message-ID: <thread-3@x>", "References: <thread-1@x>", " <thread-2@x>", "In-Reply-To: <thread-2@x>"],
        ["Message-ID: <thread-4@x>"],
      ];
      for (const headers of CONVERSATION)
        yield* control.append(account, "INBOX", crlfLines("Subject: Thread", ...headers, "", "Text."));
      const view = yield* (yield* MailboxReader).view(account, "INBOX");
      const listed = yield* view.messages(1, 4);
      const [first, second, third, other] = CONVERSATION.map(([id]) => {
        const of = listed.find(({ messageId }) => `Message-ID: ${messageId}` === id);
        return of?.threadId ?? assert.fail(`${id} has no threadId`);
      });
      assert.deepStrictEqual([second, third], [first, first]);
      assert.notStrictEqual(other, first);
    }),
  );

  it.effect("returns the summary of a message without a header", () =>
    Effect.gen(function* () {
      const shown = yield* summaryOf(crlfLines("", "No header at all."));
      assert.deepInclude(shown, { subject: "", from: null, to: [], cc: [], messageId: null, sentAt: null });
    }),
  );

  const FLAGS = [
    ["unread", "\\Seen"],
    ["flagged", "\\Flagged"],
    ["answered", "\\Answered"],
    ["draft", "\\Draft"],
  ] as const;
  for (const [field, flag] of FLAGS) {
    it.effect(`returns ${flag} as ${field}, set at arrival or later`, () =>
      Effect.gen(function* () {
        const control = yield* MailServerControl;
        const reader = yield* MailboxReader;
        const { account } = yield* signedInAccount;
        const flagsAt = (position: number) =>
          Effect.scoped(
            Effect.gen(function* () {
              const view = yield* reader.view(account, "INBOX");
              const [{ unread, flagged, answered, draft } = assert.fail()] = yield* view.messages(position, position);
              return { unread, flagged, answered, draft };
            }),
          );
        const none = { unread: true, flagged: false, answered: false, draft: false };
        const only = { ...none, [field]: field !== "unread" };
        yield* control.append(account, "INBOX", plainMessage("with"), { flags: [flag] });
        const uid = yield* control.append(account, "INBOX", plainMessage("without"));
        assert.deepStrictEqual(yield* flagsAt(1), only);
        assert.deepStrictEqual(yield* flagsAt(2), none);
        yield* control.setFlags(account, "INBOX", uid, [flag]);
        assert.deepStrictEqual(yield* flagsAt(2), only);
        yield* control.setFlags(account, "INBOX", uid, []);
        assert.deepStrictEqual(yield* flagsAt(2), none);
      }),
    );
  }
};
