import { assert, it } from "@effect/vitest";
import type { FetchMessageObject } from "imapflow";
import { messageSummary } from "../src/reading/message-summary.ts";
import { readFetchRow } from "../src/rows/fetch-row.ts";
import { messageIdOf } from "../src/following/seen-messages.ts";

const ROW: FetchMessageObject = { seq: 1, uid: 5, size: 100, flags: new Set(), internalDate: new Date(1_000) };

it("fills in defaults for a row with the required items only", () => {
  assert.deepStrictEqual(messageSummary(ROW), {
    uid: 5,
    messageId: null,
    threadId: null,
    subject: "",
    from: null,
    to: [],
    cc: [],
    toCount: 0,
    ccCount: 0,
    arrivedAt: 1_000,
    sentAt: null,
    unread: true,
    flagged: false,
    answered: false,
    draft: false,
    labels: [],
    size: 100,
    attachments: [],
    attachmentCount: 0,
  });
});

it.each([
  ["flags sent unasked", { seq: 3, flags: new Set(["\\Seen"]) }],
  ["flags sent unasked with their UID", { seq: 3, uid: 9, flags: new Set(["\\Seen"]) }],
  ["a message expunged meanwhile, as Dovecot answers for it", { ...ROW, size: 0, envelope: {} }],
])("%s: no message", (_, row) => {
  assert.isUndefined(messageSummary(row as FetchMessageObject));
});

it.each([
  ["a date imapflow could not read", "31 Foo 2025"],
  ["a date out of range", new Date(Number.NaN)],
  ["no date", undefined],
])("%s is no time, never NaN", (_, date) => {
  const summary = messageSummary({ ...ROW, internalDate: date, envelope: { date } });
  assert.deepInclude(summary, { arrivedAt: 0, sentAt: null });
});

it("cuts a subject and a name, and ignores a message id that is too long", () => {
  const long = "x".repeat(100_000);
  const summary = messageSummary({
    ...ROW,
    envelope: { subject: long, messageId: `<${long}>`, from: [{ name: long, address: "a@b.test" }] },
  });
  const most = long.slice(0, 1_000);
  assert.deepInclude(summary, { subject: most, from: { name: most, address: "a@b.test" }, messageId: null });
  assert.isNull(messageIdOf(`<${long}>`));
  assert.strictEqual(messageIdOf("<a@b.test>"), "<a@b.test>");
});

it("omits groups and Dovecot's placeholders from addresses", () => {
  const summary = messageSummary({
    ...ROW,
    envelope: {
      from: [{ name: "Just a name", address: "MISSING_MAILBOX@MISSING_DOMAIN" }],
      to: [
        { name: "Friends", address: "" },
        { name: "A", address: "a@example.org" },
        { address: "local@MISSING_DOMAIN" },
        { name: "B", address: "MISSING_MAILBOX@example.org" },
      ],
      cc: [{ name: "undisclosed-recipients", address: "" }],
    },
  });
  assert.deepInclude(summary, {
    from: { name: "Just a name", address: "" },
    to: [
      { name: "A", address: "a@example.org" },
      { name: "", address: "local" },
      { name: "B", address: "" },
    ],
    cc: [],
  });
});

it("copies the server's thread id [S5.2-3]", () => {
  assert.strictEqual(messageSummary({ ...ROW, threadId: "T1" })?.threadId, "T1");
});

it("has the user's Gmail labels in place of keywords, without Gmail's own labels [S5.5-9]", () => {
  const line = String.raw`* 1 FETCH (UID 5 FLAGS (\Seen Keyword) X-GM-LABELS ("\\Inbox" "\\Important" "Two words" Gr&APYA3w-e) RFC822.SIZE 9)`;
  const row = readFetchRow(Buffer.from(line), []);
  assert.deepStrictEqual(messageSummary(row!)?.labels, ["Größe", "Two words"]);
  // A row read by imapflow also has Gmail's own labels.
  const labels = new Set(["\\Inbox", "Two words", "Größe"]);
  assert.deepStrictEqual(messageSummary({ ...ROW, flags: new Set(["Keyword"]), labels })?.labels, [
    "Größe",
    "Two words",
  ]);
});
