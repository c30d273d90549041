import { assert, it } from "@effect/vitest";
import type { MessageSummary } from "@postern/core/mail";
import fc from "fast-check";
import parser from "imapflow/lib/handler/imap-parser.js";
import { formatMessageResponse } from "imapflow/lib/tools.js";
import { messageSummary } from "../src/reading/message-summary.ts";
import type { ListedEnvelope } from "../src/rows/envelope.ts";
import { readFetchRow } from "../src/rows/fetch-row.ts";
import { type Answer, brokenAnswer, fetchAnswer } from "./fetch-answers.ts";

const MAILBOX = { path: "INBOX", uidValidity: 7n, uidNext: 1, exists: 1 };

/** Returns imapflow's result for a response; none for a response that has no UID or that imapflow cannot read. */
const byImapflow = async ({ payload, literals }: Answer): Promise<MessageSummary | undefined> => {
  try {
    const parsed = await parser(payload, { literals: [...literals] } as never);
    return messageSummary(await formatMessageResponse(parsed, { ...MAILBOX } as never));
  } catch {
    return undefined;
  }
};

const plain = (text: string, ...literals: ReadonlyArray<string>): Answer => ({
  payload: Buffer.from(text),
  literals: literals.map((literal) => Buffer.from(literal)),
});

it("reads every response in the grammar like imapflow, without leaving one to it", async () => {
  await fc.assert(
    fc.asyncProperty(fetchAnswer, async (answer) => {
      const row = readFetchRow(answer.payload, answer.literals);
      assert.isDefined(row, "read");
      assert.deepStrictEqual(messageSummary(row), await byImapflow(answer));
    }),
    { numRuns: 2_000 },
  );
});

it("reads a damaged response like imapflow or leaves it to imapflow", async () => {
  await fc.assert(
    fc.asyncProperty(brokenAnswer, async (answer) => {
      const row = readFetchRow(answer.payload, answer.literals);
      if (row !== undefined) assert.deepStrictEqual(messageSummary(row), await byImapflow(answer));
    }),
    { numRuns: 4_000 },
  );
});

it.each([
  plain("* 1 FETCH (UID 5 BODY[1.2]<0> {3}\r\n)", "abc"),
  plain('* 1 FETCH (BODY[2]<131072> "abc" UID 5)'),
  plain('* 1 FETCH (UID 5 BODY[1.MIME] "" BODY[TEXT]<7> "x")'),
  plain("* 1 FETCH (UID 5 BODY[]<131072> {3}\r\n FLAGS (\\Seen))", "abc"),
  plain("* 1 FETCH (UID 5 BODY[] {0}\r\n)", ""),
])("reads bytes of a part or a message like imapflow", async (answer) => {
  const ours = readFetchRow(answer.payload, answer.literals);
  const parsed = await parser(answer.payload, { literals: [...answer.literals] } as never);
  const theirs = await formatMessageResponse(parsed, { ...MAILBOX } as never);
  assert.deepStrictEqual([ours?.uid, ours?.source, ours?.bodyParts], [5, theirs.source, theirs.bodyParts]);
});

it("reads no message where imapflow drops the response", async () => {
  const answer = plain("* 10 FETCH ( INTERNALDATE  1-Jan-2026 00:00:00 +00 )");
  const row = readFetchRow(answer.payload, answer.literals);
  assert.deepStrictEqual(row && messageSummary(row), await byImapflow(answer));
});

it("reads literals in place, 8-bit text and escapes", () => {
  const row = readFetchRow(
    Buffer.from(
      '* 3 FETCH (UID 5 RFC822.SIZE 9 ENVELOPE ({5}\r\n {7}\r\n ((NIL NIL "a\\"b" "x.org")) NIL NIL (("Zo\u00eb" NIL "z" "y.org")) NIL NIL NIL "<1@x>"))',
    ),
    [Buffer.from("never"), Buffer.from("Grüße")],
  );
  assert.deepInclude(messageSummary(row!), {
    subject: "Grüße",
    sentAt: null,
    from: { name: "", address: 'a"b@x.org' },
    to: [{ name: "Zoë", address: "z@y.org" }],
    messageId: "<1@x>",
  });
});

it.each([
  ["another answer", plain("* 4 EXISTS")],
  ["a tagged answer", plain("A1 OK done")],
  ["a literal that is missing", plain("* 1 FETCH (UID 5 ENVELOPE ({3}\r\n))")],
  ["a body in an encoding of its own", plain("* 1 FETCH (UID 5 BINARY[] {2}\r\n)", "ab")],
  ["an end that is missing", plain("* 1 FETCH (UID 5 FLAGS (")],
  ["more than its list", plain("* 1 FETCH (UID 5) x")],
  ["a value that is missing", plain("* 1 FETCH (UID)")],
  ["nesting beyond any message", plain(`* 1 FETCH (BODYSTRUCTURE ${"(".repeat(500)}${")".repeat(500)})`)],
  [
    "nesting in a field that no listing shows",
    plain(`* 1 FETCH (ENVELOPE (NIL NIL NIL ${"(".repeat(500)}${")".repeat(500)}) UID 5)`),
  ],
])("leaves %s to imapflow", (_, { payload, literals }) => {
  assert.isUndefined(readFetchRow(payload, literals));
});

it("skips and counts the addresses after the first ones of a field, in any notation", () => {
  const crowd = [...Array(300).keys()].map((n) => `(NIL NIL "p${n}" "x.test")`);
  const odd = ['("a \\"(b\\\\" NIL "p" "x.test")', "({2}\r\n NIL {1}\r\n x.test)", "NIL"];
  const field = `(${[...crowd, ...odd].join(" ")})`;
  const row = readFetchRow(
    Buffer.from(`* 1 FETCH (ENVELOPE (NIL "s" NIL NIL NIL ${field} (${crowd[0]}) NIL NIL "<m@x>") UID 5)`),
    [Buffer.from("(("), Buffer.from('"')],
  );
  assert.strictEqual(row?.uid, 5);
  const { to, cc, others, messageId } = row!.envelope as ListedEnvelope;
  assert.deepStrictEqual([to?.length, to?.at(-1)?.address, cc?.length], [200, "p199@x.test", 1]);
  assert.deepStrictEqual([others, messageId], [{ to: 103, cc: 0 }, "<m@x>"]);
});
