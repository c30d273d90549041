import type { HeaderField, MessagePart } from "../../src/mail/index.ts";
import { describe, expect, it } from "vitest";
import { messageTexts, readReturnedMessage } from "../../src/bounces/message-texts.ts";
import { nested, part } from "./message.ts";

const textsOf = (parts: ReadonlyArray<MessagePart>, headers: ReadonlyArray<HeaderField> = []) =>
  messageTexts({ headers, parts });
const HEADER = ["Received: by mx", "From: Ann <ann@x.test>", "To: bob@x.test", "Subject: Plan"];
const STATUS = "Final-Recipient: rfc822; bob@x.test\nAction: failed";

describe("the texts of a possible report", () => {
  it("are sorted by the types of its parts", () => {
    const texts = textsOf([
      part("text/plain", "It was not delivered, sorry."),
      part("message/delivery-status", "Status: 5.1.1"),
      part("message/feedback-report", "Feedback-Type: abuse"),
      part("image/png", "no text"),
      nested([["Subject", "Plan"]]),
      nested([["Subject", "another"]]),
    ]);
    expect(texts).toEqual({
      statuses: ["Status: 5.1.1"],
      isStatusQuoted: false,
      feedback: ["Feedback-Type: abuse"],
      notice: ["It was not delivered, sorry."],
      returnedHeaders: [["Subject", "Plan"]],
      hasReceipt: false,
    });
  });

  it.each(["message/global-delivery-status", "application/delivery-status"])("have a status of type %s", (type) => {
    expect(textsOf([part(type, "Status: 5.1.1")]).statuses).toEqual(["Status: 5.1.1"]);
  });

  it.each([
    "message/rfc822",
    "message/global",
    "text/rfc822-headers",
    "text/rfc822",
    "message/rfc822-headers",
    "message/global-headers",
    "message/news",
  ])("have a returned header of type %s", (type) => {
    const texts = textsOf([part(type, "Subject: Plan\n\nbody"), part("text/plain", "x".repeat(30))]);
    expect(texts.returnedHeaders).toEqual([["Subject", "Plan"]]);
    expect(texts.notice).toEqual(["x".repeat(30)]);
  });

  it("have feedback in a part of any type with a second feedback field", () => {
    const text = "Feedback-Type: abuse\nUser-Agent: x";
    expect(textsOf([part("text/plain", text)])).toMatchObject({ feedback: [text], notice: [""] });
    expect(textsOf([part("text/plain", "Feedback-Type: abuse")]).feedback).toEqual([]);
    expect(textsOf([part("text/plain", "User-Agent: x")]).feedback).toEqual([]);
  });

  it("have a status that occurs in prose, and mark it", () => {
    expect(textsOf([part("text/plain", STATUS)])).toMatchObject({ statuses: [STATUS], isStatusQuoted: true });
    expect(textsOf([part("application/x", STATUS)])).toMatchObject({ statuses: [STATUS], isStatusQuoted: true });
    expect(textsOf([part("text/plain", "Action: failed")])).toMatchObject({ statuses: [], isStatusQuoted: false });
    expect(textsOf([part("text/plain", "Final-Recipient: a")])).toMatchObject({ statuses: [], isStatusQuoted: false });
    expect(textsOf([part("text/plain", STATUS), part("message/delivery-status", "Status: 5.1.1")])).toMatchObject({
      statuses: ["Status: 5.1.1"],
      isStatusQuoted: false,
    });
  });

  it("are those of the HTML, if the plain text has less than 20 characters", () => {
    const html = part("text/html", "<b>It was not delivered.</b>");
    expect(textsOf([part("text/plain", "x".repeat(19)), html]).notice).toEqual(["It was not delivered."]);
    expect(textsOf([part("text/plain", "x".repeat(20)), html]).notice).toEqual(["x".repeat(20)]);
    expect(textsOf([part("text/plain", "short")]).notice).toEqual(["short"]);
  });

  it("have 1500 lines of 1000 characters at most, with plain spaces", () => {
    expect(textsOf([part("text/plain", "ab\n".repeat(1_600))]).notice).toHaveLength(1_500);
    expect(textsOf([part("text/plain", `a\u00a0b${"x".repeat(2_000)}\r\nc`)]).notice).toEqual([
      `a b${"x".repeat(997)}`,
      "c",
    ]);
  });

  it("have a receipt, unless it refuses the message (RFC 8098)", () => {
    const receipt = part("message/disposition-notification", "Disposition: displayed");
    expect(textsOf([part("text/plain", "Your mail was read."), receipt])).toMatchObject({
      hasReceipt: true,
      statuses: [],
    });
    expect(textsOf([], [["Content-Type", "multipart/report; report-type=disposition-notification"]]).hasReceipt).toBe(
      true,
    );
    expect(textsOf([], [["Content-Type", "multipart/report"]]).hasReceipt).toBe(false);
  });

  it("end where the returned header begins in the text", () => {
    const texts = textsOf([part("text/plain", ["It failed for bob@x.test.", "", ...HEADER, "", "Hello"].join("\n"))]);
    expect(texts.notice).toEqual(["It failed for bob@x.test.", ""]);
    expect(texts.returnedHeaders.map(([name]) => name)).toEqual(["Received", "From", "To", "Subject"]);
  });

  it("end at the line that announces the returned message", () => {
    const lines = [
      "bob@x.test failed",
      "--- Original message follows ---",
      "",
      "> From: Ann",
      "> Subject: Plan",
      "",
      "x",
    ];
    const texts = textsOf([part("text/plain", lines.join("\n"))]);
    expect(texts.notice).toEqual(["bob@x.test failed"]);
    expect(texts.returnedHeaders).toEqual([
      ["From", "Ann"],
      ["Subject", "Plan"],
    ]);
  });

  it("do not end at such a line if none of the five lines below it is a field", () => {
    const lines = (blank: number) => [
      "bob@x.test failed",
      "Original message follows",
      ...Array(blank).fill(""),
      "To: b",
    ];
    expect(textsOf([part("text/plain", lines(4).join("\n"))]).notice).toHaveLength(1);
    expect(textsOf([part("text/plain", lines(5).join("\n"))]).notice).toHaveLength(8);
  });

  it("are below the returned header, if nothing above it tells about a failure", () => {
    const lines = ["Dear sender,", ...HEADER, "", "It was not delivered to bob@x.test."];
    expect(textsOf([part("text/plain", lines.join("\n"))]).notice).toEqual([
      "Dear sender,",
      "",
      "It was not delivered to bob@x.test.",
    ]);
    expect(textsOf([part("text/plain", ["Dear sender,", ...HEADER].join("\n"))]).notice).toEqual(["Dear sender,"]);
  });
});

describe("the returned message", () => {
  const returned = (
    headers: ReadonlyArray<HeaderField>,
    notice: ReadonlyArray<string> = [],
    own: ReadonlyArray<HeaderField> = [],
    more: ReadonlyArray<MessagePart> = [],
  ) => {
    const message = { headers: own, parts: [part("text/plain", notice.join("\n")), ...more, nested(headers)] };
    return readReturnedMessage(message, messageTexts(message));
  };

  it("is what its header says", () => {
    expect(
      returned([
        ["Message-ID", "<1@x.test>"],
        ["Subject", "Plan"],
        ["From", "Ann <ann@x.test>"],
        ["To", "bob@x.test, carl@x.test"],
        ["Cc", "dora@x.test"],
      ]),
    ).toEqual({
      messageIds: ["<1@x.test>"],
      envelopeId: null,
      subject: "Plan",
      from: "ann@x.test",
      to: ["bob@x.test", "carl@x.test", "dora@x.test"],
    });
    expect(returned([["X-Other", "x"]])).toEqual({
      messageIds: [],
      envelopeId: null,
      subject: null,
      from: null,
      to: [],
    });
  });

  it("has the ids of its header, then those of the report's fields, then those in labelled lines", () => {
    expect(
      returned(
        [
          ["X-SES-Message-ID", "<3@x.test>"],
          ["X-Original-Message-ID", "<2@x.test>"],
          ["Message-ID", "<1@x.test>"],
        ],
        ["Message-ID: <7@x.test>", "References:", "<8@x.test>", "no label <no@x.test>"],
        [
          ["References", "<6@x.test> <1@x.test>"],
          ["In-Reply-To", "<5@x.test>"],
          ["X-Original-Message-ID", "<4@x.test>"],
        ],
      ).messageIds,
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((n) => `<${n}@x.test>`));
  });

  it("has 20 ids and 50 recipients at most", () => {
    const ids = Array.from({ length: 30 }, (_, n) => `<${n}@x.test>`);
    const to = Array.from({ length: 60 }, (_, n) => `u${n}@x.test`);
    const read = returned([
      ["Message-ID", ids.join(" ")],
      ["To", to.join(", ")],
    ]);
    expect(read.messageIds).toEqual(ids.slice(0, 20));
    expect(read.to).toEqual(to.slice(0, 50));
  });

  it.each<[string, ReadonlyArray<HeaderField>, ReadonlyArray<string>, string, string | null]>([
    ["its header", [["Subject", "Plan"]], ["Subject: other"], "Undeliverable: third", "Plan"],
    ["a label in the notice", [["X-A", ""]], ["> Betreff: Plan "], "Undeliverable: third", "Plan"],
    ["the report, without its prefix", [["X-A", ""]], [], "Undeliverable: Plan", "Plan"],
    ["nothing", [["X-A", ""]], [], "Undeliverable mail", null],
    ["the first 998 characters of its header", [["Subject", "x".repeat(1_200)]], [], "", "x".repeat(998)],
  ])("has the subject of %s", (_, headers, notice, own, subject) => {
    expect(returned(headers, notice, [["Subject", own]]).subject).toBe(subject);
  });

  it.each<[string, ReadonlyArray<HeaderField>, ReadonlyArray<MessagePart>, string | null]>([
    [
      "the status",
      [["X-Envelope-ID", "two"]],
      [part("message/delivery-status", "Reporting-MTA: x\n\nOriginal-Envelope-Id: one")],
      "one",
    ],
    ["its header", [["X-Envelope-ID", "two"]], [part("message/delivery-status", "Reporting-MTA: x")], "two"],
    [
      "the feedback",
      [["X-A", ""]],
      [part("message/feedback-report", "Feedback-Type: abuse\nOriginal-Envelope-Id: three")],
      "three",
    ],
    ["the first 200 characters of its header", [["X-Envelope-ID", "x".repeat(300)]], [], "x".repeat(200)],
    [
      "the first 200 characters of the status",
      [],
      [part("message/delivery-status", `Original-Envelope-Id: ${"x".repeat(300)}`)],
      "x".repeat(200),
    ],
    ["nothing", [["X-A", ""]], [], null],
  ])("has the envelope id of %s", (_, headers, more, id) => {
    expect(returned(headers, [], [], more).envelopeId).toBe(id);
  });
});
