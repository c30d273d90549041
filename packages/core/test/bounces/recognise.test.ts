import type { ParsedMessage } from "../../src/mail/index.ts";
import { isCandidate, recognise } from "../../src/bounces/index.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromDaemon, nested, part, report } from "./message.ts";

const status = (text: string) =>
  recognise(
    fromDaemon("Undelivered mail", [part("text/plain", "It failed."), part("message/delivery-status", text)], [report]),
  );
const rows = (message: ReturnType<typeof recognise>) =>
  message.kind === "bounce" || message.kind === "delay"
    ? message.recipients.map((one) => [one.address, one.type, one.status])
    : message.kind;

describe("recognise", () => {
  it("prefers a specific diagnostic to a general status, and a specific status to any diagnostic", () => {
    const group = (field: string, diagnostic: string) =>
      status(
        `Final-Recipient: rfc822; b@x.example\nAction: failed\nStatus: ${field}\nDiagnostic-Code: smtp; ${diagnostic}\n`,
      );
    expect(rows(group("5.0.0", "550 5.1.1 unknown"))).toEqual([["b@x.example", "permanent", "5.1.1"]]);
    expect(rows(group("5.0.0", "550 mailbox full"))).toEqual([["b@x.example", "permanent", "5.2.2"]]);
    expect(rows(group("5.2.0", "550 5.1.1 unknown"))).toEqual([["b@x.example", "permanent", "5.1.1"]]);
    expect(rows(group("5.2.1", "550 5.1.1 unknown"))).toEqual([["b@x.example", "permanent", "5.2.1"]]);
    expect(rows(group("4.4.7", "timed out"))).toEqual([["b@x.example", "permanent", "4.4.7"]]);
  });

  it("reports failed and delayed recipients, but not delivered ones", () => {
    const mixed = status(
      "Final-Recipient: rfc822; a@x.example\nAction: delivered\nStatus: 2.0.0\n\nFinal-Recipient: rfc822; b@x.example\nAction: delayed\nStatus: 4.4.1\n\nFinal-Recipient: rfc822; c@x.example\nAction: failed\nStatus: 5.1.1\n",
    );
    expect(mixed.kind).toBe("bounce");
    expect(rows(mixed)).toEqual([
      ["b@x.example", "transient", "4.4.1"],
      ["c@x.example", "permanent", "5.1.1"],
    ]);
    expect(rows(status("Final-Recipient: rfc822; a@x.example\nAction: expanded\nStatus: 2.0.0\n"))).toBe("none");
  });

  it("does not report a success status or an unknown action as a failure", () => {
    const group = (action: string, field: string) =>
      rows(status(`Final-Recipient: rfc822; a@x.example\nAction: ${action}\nStatus: ${field}\n`));
    expect(group("deliverable", "2.1.5")).toBe("none");
    expect(group("deliverable", "5.1.1")).toBe("none");
    expect(group("failed", "2.1.5")).toBe("none");
    expect(group("probed", "4.0.0")).toBe("none");
    expect(group("undeliverable", "5.1.1")).toEqual([["a@x.example", "permanent", "5.1.1"]]);
    expect(group("delayed", "2.0.0")).toEqual([["a@x.example", "transient", expect.any(String)]]);
    expect(group("", "5.1.1")).toEqual([["a@x.example", "permanent", "5.1.1"]]);
  });

  it("keeps the start of a recipient in encoded words", () => {
    expect(
      rows(status("Final-Recipient: rfc822; =?x-none?Q?j=C3=B6rg?=@x.example\nAction: failed\nStatus: 5.1.1\n")),
    ).toEqual([["=?x-none?Q?j=C3=B6rg?=@x.example", "permanent", "5.1.1"]]);
  });

  describe("a mail system's notice that quotes the refusal of the returned message", () => {
    const notice = (from: string, more: ReadonlyArray<readonly [string, string]>, advice = "") =>
      rows(
        recognise({
          headers: [
            ["Return-Path", "<>"],
            ["From", from],
            ["To", "alice@sender.example"],
            ["Subject", "Your message"],
            ...more,
          ],
          parts: [
            part("text/plain", `<bob@x.example>: 550 5.7.1 Message is blocked. ${advice}\n`),
            nested([
              ["Message-ID", "<m1@sender.example>"],
              ["From", "alice@sender.example"],
              ["To", "bob@x.example"],
            ]),
          ],
        }),
      );
    const bounce = [["bob@x.example", "permanent", "5.7.1"]];
    const daemon = "MAILER-DAEMON@mx.example";

    it("is a bounce, even if it is marked as automatic", () => {
      for (const more of [
        [["Auto-Submitted", "auto-replied"]],
        [["List-Id", "<list.x.example>"]],
        [["Precedence", "auto_reply"]],
      ] as const)
        expect(notice(daemon, more)).toEqual(bounce);
    });

    it("is a bounce even if it advises to send the message again", () => {
      for (const advice of ["Please attempt to send again.", "Is the list closed? Try sending it again."])
        expect(notice(daemon, [], advice)).toEqual(bounce);
    });
  });

  it("takes Message-ID, ENVID, subject and recipients from the returned message", () => {
    const message = fromDaemon(
      "Undelivered",
      [
        part(
          "message/delivery-status",
          "Original-Envelope-Id: QQ1\n\nFinal-Recipient: rfc822; b@x.example\nAction: failed\nStatus: 5.1.1\n",
        ),
        nested([
          ["From", "alice@sender.example"],
          ["To", "b@x.example, c@x.example"],
          ["Subject", "Figures"],
          ["Message-ID", "<m1@sender.example>"],
        ]),
      ],
      [report],
    );
    expect(recognise(message)).toMatchObject({
      returned: {
        messageIds: ["<m1@sender.example>"],
        envelopeId: "QQ1",
        subject: "Figures",
        from: "alice@sender.example",
        to: ["b@x.example", "c@x.example"],
      },
    });
  });

  it("ignores a report that a person pasted or forwarded", () => {
    const pasted = "Final-Recipient: rfc822; b@x.example\nAction: failed\nStatus: 5.1.1\n";
    const person: ParsedMessage = {
      headers: [
        ["From", "Bob <bob@x.example>"],
        ["Subject", "look at this"],
      ],
      parts: [part("text/plain", pasted)],
    };
    expect(recognise(person).kind).toBe("none");
    const forwarded: ParsedMessage = {
      ...person,
      parts: [
        {
          type: "message/rfc822",
          text: "",
          message: fromDaemon("Undelivered", [part("message/delivery-status", pasted)], [report]),
        },
      ],
    };
    expect(recognise(forwarded).kind).toBe("none");
  });

  it("is bounded in recipients, diagnostics and Message-IDs", () => {
    const many = Array.from(
      { length: 500 },
      (_, n) =>
        `Final-Recipient: rfc822; b${n}@x.example\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 ${"x".repeat(900)}\n`,
    );
    const big = recognise(
      fromDaemon(
        "Undelivered",
        [part("message/delivery-status", many.join("\n"))],
        [report, ["References", Array.from({ length: 300 }, (_, n) => `<${n}@x.example>`).join(" ")]],
      ),
    );
    if (big.kind !== "bounce") throw new Error(big.kind);
    expect(big.recipients.length).toBe(50);
    expect(big.recipients.every(({ diagnosticCode }) => diagnosticCode!.length <= 500)).toBe(true);
    expect(big.returned.messageIds.length).toBe(20);
  });

  it("never fails on random input", () => {
    const word = fc.constantFrom(
      "a@x.example",
      "550",
      "5.1.1",
      "user unknown",
      "undeliverable",
      "<",
      ">",
      "\n",
      "\n\n",
      ":",
      ";",
      "Final-Recipient:",
      "Action: failed",
      "=",
      "&#x41;",
      "\\x{110000}",
      "+ZZ",
      "Feedback-Type: abuse",
      "Version: 1",
      "宛先",
    );
    const text = fc
      .array(fc.oneof(word, fc.string({ unit: "grapheme", maxLength: 12 })), { maxLength: 60 })
      .map((words) => words.join(" "));
    const leaf = fc.record({
      type: fc.constantFrom(
        "text/plain",
        "text/html",
        "message/delivery-status",
        "message/feedback-report",
        "text/rfc822-headers",
        "application/octet-stream",
      ),
      text,
      message: fc.constant(null),
    });
    const headers = fc.array(
      fc.tuple(
        fc.constantFrom(
          "From",
          "To",
          "Subject",
          "Return-Path",
          "Content-Type",
          "X-Failed-Recipients",
          "Auto-Submitted",
        ),
        text,
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(headers, fc.array(leaf, { maxLength: 5 }), (fields, parts) => {
        const found = recognise({ headers: fields, parts });
        if (found.kind === "bounce" || found.kind === "delay") {
          expect(found.recipients.length).toBeGreaterThan(0);
          for (const one of found.recipients)
            expect([one.address.includes("@"), /^[45]\.\d{1,3}\.\d{1,3}$/.test(one.status)]).toEqual([true, true]);
        }
      }),
      { numRuns: 500 },
    );
  });

  /** Each takes minutes if a rule backtracks, so the test's time limit detects it. */
  it.each([
    ["at signs", "@".repeat(60_000)],
    ["addresses", "a@b.example ".repeat(5_000)],
    ["a long local part", `${"a".repeat(60_000)}@b.example`],
    ["dots", `a@${"a.".repeat(30_000)}`],
    ["quotes", `${'"'.repeat(60_000)}@b.example`],
    ["digits", "5.1.".repeat(15_000)],
    ["codes", "550 ".repeat(15_000)],
    ["spaces", ` ${" ".repeat(60_000)}x`],
    ["empty lines", "\n".repeat(60_000)],
    ["colons", "a:".repeat(30_000)],
    ["fields", "X-Field: v\n".repeat(6_000)],
    ["folded fields", `Final-Recipient:${"\n x".repeat(20_000)}`],
    ["tags", "<".repeat(60_000)],
    ["open tags", "<a ".repeat(20_000)],
    ["entities", "&#".repeat(30_000)],
    ["half a phrase", "mailbox not user unknown recipient ".repeat(1_500)],
    ["half a message id", "Message-ID: <".repeat(4_000)],
    ["xtext", `Final-Recipient: rfc822; ${"+41".repeat(20_000)}`],
    ["plus signs", "+".repeat(60_000)],
    ["brackets", "(".repeat(60_000)],
    ["separators", "---- Original message ----\n".repeat(2_000)],
  ])("reads hostile text in linear time: %s", (_, text) => {
    for (const type of [
      "text/plain",
      "text/html",
      "message/delivery-status",
      "message/feedback-report",
      "text/rfc822-headers",
    ])
      recognise(
        fromDaemon(
          text.slice(0, 20_000),
          [part(type, text)],
          [report, ["X-Failed-Recipients", text], ["References", text]],
        ),
      );
    isCandidate([
      ["Subject", text],
      ["From", text],
      ["Return-Path", text],
      ["Auto-Submitted", text],
    ]);
  });
});

describe("isCandidate", () => {
  it.each([
    [["Content-Type", "multipart/report; report-type=delivery-status"]],
    [["Return-Path", "<>"]],
    [["From", "MAILER-DAEMON (Mail Delivery System)"]],
    [["From", "Mail Delivery Subsystem <x@y.example>"]],
    [["X-Failed-Recipients", "b@x.example"]],
    [["Auto-Submitted", "auto-replied"]],
    [["Subject", "Undelivered Mail Returned to Sender"]],
    [["Subject", "配信不能通知"]],
    [["From", "staff@hotmail.com"]],
  ] as const)("takes %j", (field) => expect(isCandidate([field])).toBe(true));

  it("rejects ordinary mail", () => {
    expect(
      isCandidate([
        ["Return-Path", "<bob@x.example>"],
        ["From", "Bob <bob@x.example>"],
        ["Subject", "Figures"],
        ["Auto-Submitted", "no"],
      ]),
    ).toBe(false);
  });
});
