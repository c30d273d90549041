import { match, type SentMessage, SUBJECT_WINDOW } from "../../src/bounces/match.ts";
import { type RecipientReport } from "../../src/bounces/Report.ts";
import { type Report } from "../../src/bounces/index.ts";
import { Duration } from "effect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const WINDOW_MILLIS = Duration.toMillis(SUBJECT_WINDOW);
const NOW = 1_000 * 86_400_000;

const sent = (over: Partial<SentMessage> = {}): SentMessage => ({
  id: "s1",
  messageIds: ["<m1@sender.example>"],
  envelopeId: null,
  subject: "Quarterly figures",
  sentAt: NOW - 3_600_000,
  recipients: [{ address: "Bob@X.example", bounced: false }],
  ...over,
});

const failed = (address: string, over: Partial<RecipientReport> = {}): RecipientReport => ({
  address,
  originalRecipient: null,
  type: "permanent",
  status: "5.1.1",
  diagnosticCode: null,
  reportingMta: null,
  ...over,
});

type Bounce = Extract<Report, { readonly kind: "bounce" | "delay" }>;
const bounce = (recipients: ReadonlyArray<RecipientReport>, returned: Partial<Bounce["returned"]> = {}): Bounce => ({
  kind: "bounce",
  family: "rfc3464",
  recipients,
  returned: { messageIds: [], envelopeId: null, subject: null, from: null, to: [], ...returned },
});

const ids = (report: Report, messages: ReadonlyArray<SentMessage>, at = NOW) =>
  match(report, messages, at).map(({ sentId, recipient }) => `${sentId} ${recipient}`);

describe("match", () => {
  it("settles a recipient of the message that is named by Message-ID or ENVID", () => {
    expect(ids(bounce([failed("bob@x.example")], { messageIds: ["<m1@sender.example>"] }), [sent()])).toEqual([
      "s1 Bob@X.example",
    ]);
    expect(ids(bounce([failed("bob@x.example")], { envelopeId: "E1" }), [sent({ envelopeId: "E1" })])).toEqual([
      "s1 Bob@X.example",
    ]);
  });

  it("ignores an address the message was not sent to, because any recipient knows the Message-ID", () => {
    expect(
      ids(bounce([failed("eve@x.example")], { messageIds: ["<m1@sender.example>"], subject: "Quarterly figures" }), [
        sent(),
      ]),
    ).toEqual([]);
  });

  it("does not match by subject if another of our messages is named", () => {
    const other = sent({
      id: "s2",
      messageIds: ["<m2@sender.example>"],
      recipients: [{ address: "carol@x.example", bounced: false }],
    });
    expect(
      ids(bounce([failed("carol@x.example")], { messageIds: ["<m1@sender.example>"], subject: "Quarterly figures" }), [
        sent(),
        other,
      ]),
    ).toEqual([]);
  });

  it("matches by recipient and subject for seven days if a relay rewrote the Message-ID", () => {
    const report = bounce([failed("bob@x.example")], {
      messageIds: ["<rewritten@relay.example>"],
      subject: "  quarterly  FIGURES",
    });
    expect(ids(report, [sent()])).toEqual(["s1 Bob@X.example"]);
    expect(ids(report, [sent({ sentAt: NOW - WINDOW_MILLIS })])).toEqual(["s1 Bob@X.example"]);
    expect(ids(report, [sent({ sentAt: NOW - WINDOW_MILLIS - 1 })])).toEqual([]);
    expect(ids(report, [sent({ sentAt: NOW + 3_600_000 })])).toEqual([]);
    expect(ids(bounce([failed("bob@x.example")]), [sent({ subject: "" })])).toEqual([]);
  });

  it("takes the latest of several matching messages", () => {
    const report = bounce([failed("bob@x.example")], { subject: "Quarterly figures" });
    expect(ids(report, [sent({ id: "old", sentAt: NOW - 7_200_000 }), sent({ id: "new" })])).toEqual([
      "new Bob@X.example",
    ]);
  });

  it("follows an alias to the address we sent to", () => {
    const report = bounce([failed("robert@inner.example", { originalRecipient: "bob@x.example" })], {
      messageIds: ["<m1@sender.example>"],
    });
    expect(ids(report, [sent()])).toEqual(["s1 Bob@X.example"]);
  });

  it("matches a report that names the Message-ID which the mail server gave the message", () => {
    const renamed = sent({ messageIds: ["<m1@sender.example>", "<p1@prod.outlook.example>"] });
    const report = bounce([failed("bob@x.example")], { messageIds: ["<p1@prod.outlook.example>"] });
    expect(ids(report, [renamed])).toEqual(["s1 Bob@X.example"]);
  });

  it("counts a permanent failure once, and no delay after it", () => {
    const known = sent({ recipients: [{ address: "bob@x.example", bounced: true }] });
    for (const type of ["permanent", "transient"] as const)
      expect(ids(bounce([failed("bob@x.example", { type })], { messageIds: known.messageIds }), [known])).toEqual([]);
    const twice = bounce([failed("bob@x.example", { type: "transient" }), failed("BOB@x.example")], {
      messageIds: ["<m1@sender.example>"],
    });
    expect(match(twice, [sent()], NOW).map(({ outcome }) => outcome.kind)).toEqual(["bounce"]);
  });

  it("counts a redacted complaint only for a message with one recipient", () => {
    const complaint = (recipients: ReadonlyArray<string>): Report => ({
      kind: "complaint",
      family: "arf",
      feedbackType: "abuse",
      recipients,
      reportingMta: null,
      returned: { messageIds: ["<m1@sender.example>"], envelopeId: null, subject: null, from: null, to: [] },
    });
    const two = sent({ recipients: [...sent().recipients, { address: "carol@x.example", bounced: false }] });
    expect(ids(complaint([]), [sent()])).toEqual(["s1 Bob@X.example"]);
    expect(ids(complaint([]), [two])).toEqual([]);
    expect(ids(complaint(["carol@x.example"]), [two])).toEqual(["s1 carol@x.example"]);
    expect(ids(complaint(["eve@x.example"]), [two])).toEqual([]);
  });

  it("settles only recipients in the message's envelope, once each, whatever a report claims", () => {
    const address = fc.constantFrom("a@x.example", "b@x.example", "B@X.example", "c@x.example", "eve@y.example");
    const id = fc.constantFrom("<m1@s.example>", "<m2@s.example>", "<m3@s.example>", "<other@s.example>");
    const subject = fc.constantFrom("one", "two", "");
    const message = fc.record({
      messageIds: id.map((one) => [one]),
      envelopeId: fc.constantFrom(null, "E1"),
      subject,
      sentAt: fc.integer({ min: NOW - 2 * WINDOW_MILLIS, max: NOW + WINDOW_MILLIS }),
      recipients: fc.uniqueArray(fc.record({ address, bounced: fc.boolean() }), {
        selector: (one) => one.address.toLowerCase(),
        maxLength: 4,
      }),
    });
    const claim = fc.record({
      recipients: fc.array(
        fc.record({
          address,
          originalRecipient: fc.option(address, { nil: null }),
          type: fc.constantFrom("permanent" as const, "transient" as const),
        }),
        { maxLength: 6 },
      ),
      messageIds: fc.array(id, { maxLength: 3 }),
      envelopeId: fc.constantFrom(null, "E1", "E2"),
      subject: fc.option(subject, { nil: null }),
    });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), claim, (messages, { recipients, ...returned }) => {
        const known = messages.map((one, n) => ({ ...one, id: `s${n}` }));
        const report = bounce(
          recipients.map(({ address: failing, ...over }) => failed(failing, over)),
          returned,
        );
        const settled = match(report, known, NOW);
        expect(new Set(settled.map((one) => `${one.sentId} ${one.recipient.toLowerCase()}`)).size).toBe(settled.length);
        for (const { sentId, recipient } of settled) {
          const of = known.find((one) => one.id === sentId)!;
          const target = of.recipients.find((one) => one.address === recipient);
          const claimed = recipients.some((one) =>
            [one.address, one.originalRecipient].some((each) => each?.toLowerCase() === recipient.toLowerCase()),
          );
          const isNamed =
            returned.messageIds.includes(of.messageIds[0]!) ||
            (of.envelopeId !== null && of.envelopeId === returned.envelopeId);
          const isAlike = returned.subject === of.subject && of.subject !== "" && NOW - of.sentAt <= WINDOW_MILLIS;
          expect([target?.bounced, claimed, isNamed || isAlike]).toEqual([false, true, true]);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("settles a thousand reports of one message once", () => {
    let message = sent();
    let events = 0;
    for (let n = 0; n < 1_000; n++) {
      const settled = match(
        bounce([failed("bob@x.example")], { messageIds: ["<m1@sender.example>"] }),
        [message],
        NOW + n,
      );
      events += settled.length;
      if (settled.length > 0) message = { ...message, recipients: [{ address: "Bob@X.example", bounced: true }] };
    }
    expect(events).toBe(1);
  });
});
