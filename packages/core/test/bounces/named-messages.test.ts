import { describe, expect, it } from "vitest";
import { match, type SentMessage } from "../../src/bounces/match.ts";
import type { RecipientReport, Report } from "../../src/bounces/Report.ts";

const NOW = 1_000 * 86_400_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

const sent = (id: string, over: Partial<SentMessage> = {}): SentMessage => ({
  id,
  messageIds: [`<${id}@x.test>`],
  envelopeId: null,
  subject: "Plan",
  sentAt: NOW - MINUTE,
  recipients: [{ address: "bob@x.test", bounced: false }],
  ...over,
});
const failure = (address: string, over: Partial<RecipientReport> = {}): RecipientReport => ({
  address,
  originalRecipient: null,
  type: "permanent",
  status: "5.1.1",
  diagnosticCode: null,
  reportingMta: null,
  ...over,
});
const NOTHING = { messageIds: [], envelopeId: null, subject: null, from: null, to: [] };
type Returned = Partial<Extract<Report, { readonly returned: unknown }>["returned"]>;
const bounce = (returned: Returned, ...recipients: ReadonlyArray<RecipientReport>): Report => ({
  kind: "bounce",
  family: "text",
  recipients: recipients.length === 0 ? [failure("bob@x.test")] : recipients,
  returned: { ...NOTHING, ...returned },
});
const complaint = (returned: Returned, ...recipients: ReadonlyArray<string>): Report => ({
  kind: "complaint",
  family: "arf",
  feedbackType: "fraud",
  recipients,
  reportingMta: null,
  returned: { ...NOTHING, ...returned },
});
const settled = (report: Report, ...messages: ReadonlyArray<SentMessage>) =>
  match(report, messages, NOW).map(({ sentId, recipient, outcome }) => [sentId, recipient, outcome.kind]);
const BOB = ["a", "bob@x.test", "bounce"];

describe("a message that a report names", () => {
  it.each([["<a@x.test>"], ["a@x.test"], [" <a@x.test> "]])("is named by the Message-ID %j", (id) => {
    expect(settled(bounce({ messageIds: ["<other@x.test>", id] }), sent("a"))).toEqual([BOB]);
    expect(settled(bounce({ messageIds: ["<a@x.test>"] }), sent("a", { messageIds: ["<own@x.test>", id] }))).toEqual([
      BOB,
    ]);
  });

  it("is named by its envelope id, as it is or in xtext", () => {
    const withId = sent("a", { envelopeId: "E+1" });
    expect(settled(bounce({ envelopeId: "E+1" }), withId)).toEqual([BOB]);
    expect(settled(bounce({ envelopeId: "E+2B1" }), withId)).toEqual([BOB]);
    expect(settled(bounce({ envelopeId: "E2" }), withId)).toEqual([]);
    expect(settled(bounce({}), withId)).toEqual([]);
    expect(settled(bounce({ envelopeId: "E+1" }), sent("a"))).toEqual([]);
  });

  it("may be one of several, and each is settled", () => {
    const messages = [sent("a"), sent("b"), sent("c")];
    expect(settled(bounce({ messageIds: ["<a@x.test>", "<c@x.test>"] }), ...messages)).toEqual([
      BOB,
      ["c", "bob@x.test", "bounce"],
    ]);
  });

  it("is settled for the original recipient, if both addresses are in the envelope", () => {
    const both = sent("a", {
      recipients: ["bob@x.test", "alias@x.test"].map((address) => ({ address, bounced: false })),
    });
    const named = { messageIds: ["<a@x.test>"] };
    expect(settled(bounce(named, failure("bob@x.test", { originalRecipient: "alias@x.test" })), both)).toEqual([
      ["a", "alias@x.test", "bounce"],
    ]);
    expect(settled(bounce(named, failure("bob@x.test", { originalRecipient: "other@x.test" })), both)).toEqual([BOB]);
  });

  it("is settled by the failure of a recipient before a delay, with the report about it", () => {
    const delay = failure("bob@x.test", { type: "transient", status: "4.2.2" });
    const message = sent("a", {
      recipients: ["bob@x.test", "carl@x.test"].map((address) => ({ address, bounced: false })),
    });
    const report = bounce({ messageIds: ["<a@x.test>"] }, delay, failure("carl@x.test"));
    expect(match(report, [message], NOW)).toEqual([
      { sentId: "a", recipient: "carl@x.test", outcome: { kind: "bounce", report: failure("carl@x.test") } },
      { sentId: "a", recipient: "bob@x.test", outcome: { kind: "delay", report: delay } },
    ]);
  });
});

describe("a message with the subject of a report", () => {
  const report = bounce({ subject: " PLAN " });

  it("is settled for seven days, and ten minutes before it seems to be sent", () => {
    const at = (sentAt: number) => settled(report, sent("a", { sentAt }));
    expect(at(NOW - 7 * DAY)).toEqual([BOB]);
    expect(at(NOW - 7 * DAY - 1)).toEqual([]);
    expect(at(NOW + 10 * MINUTE)).toEqual([BOB]);
    expect(at(NOW + 10 * MINUTE + 1)).toEqual([]);
  });

  it("is settled if it has the recipient, even if a later one does not", () => {
    const other = sent("b", { sentAt: NOW, recipients: [{ address: "carl@x.test", bounced: false }] });
    expect(settled(report, other, sent("a"))).toEqual([BOB]);
  });

  it("is not settled without a subject, or with another one", () => {
    expect(settled(bounce({ subject: " " }), sent("a", { subject: "" }))).toEqual([]);
    expect(settled(bounce({ subject: "Plans" }), sent("a"))).toEqual([]);
  });
});

describe("a complaint", () => {
  const named = { messageIds: ["<a@x.test>"] };

  it("counts for a recipient who has bounced, once", () => {
    const bounced = sent("a", { recipients: [{ address: "bob@x.test", bounced: true }] });
    const report = complaint(named, "bob@x.test", "BOB@x.test");
    expect(match(report, [bounced], NOW)).toEqual([
      { sentId: "a", recipient: "bob@x.test", outcome: { kind: "complaint", feedbackType: "fraud" } },
    ]);
    expect(settled(bounce(named), bounced)).toEqual([]);
  });

  it("counts for each of its recipients", () => {
    const two = sent("a", {
      recipients: ["bob@x.test", "carl@x.test"].map((address) => ({ address, bounced: false })),
    });
    expect(settled(complaint(named, "carl@x.test", "bob@x.test"), two)).toEqual([
      ["a", "carl@x.test", "complaint"],
      ["a", "bob@x.test", "complaint"],
    ]);
  });

  it("without recipients counts for the only one of the only message that it names", () => {
    expect(settled(complaint(named), sent("a"), sent("b"))).toEqual([["a", "bob@x.test", "complaint"]]);
    expect(settled(complaint({ messageIds: ["<a@x.test>", "<b@x.test>"] }), sent("a"), sent("b"))).toEqual([]);
    expect(settled(complaint({ subject: "Plan" }), sent("a"))).toEqual([]);
  });

  it("with its recipients matches by its subject", () => {
    expect(settled(complaint({ subject: "Plan" }, "bob@x.test"), sent("a"))).toEqual([
      ["a", "bob@x.test", "complaint"],
    ]);
  });
});

it("settles nothing for a message that is no report", () => {
  expect(settled({ kind: "none", reason: "ordinary" }, sent("a"))).toEqual([]);
});
