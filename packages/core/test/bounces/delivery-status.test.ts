import { describe, expect, it } from "vitest";
import { groupStatus, recipientOf, statusGroups } from "../../src/bounces/delivery-status.ts";

const groupsOf = (...lines: ReadonlyArray<string>) => statusGroups([lines.join("\n")]);

describe("the groups of a delivery status", () => {
  it("are one group for each recipient, without the fields about the message", () => {
    expect(
      groupsOf(
        "Reporting-MTA: dns; mx.example.org (Postfix)",
        "",
        "Original-Recipient: rfc822; alias@example.org",
        "Final-Recipient: rfc822; bob@example.org",
        "Action: failed",
        "Status: 5.1.1",
        "Diagnostic-Code: smtp; 550  5.1.1 no such user",
        "",
        "Final-Recipient: rfc822; ann@example.org",
        "Action: delayed",
      ),
    ).toEqual([
      {
        action: "failed",
        address: "bob@example.org",
        originalRecipient: "alias@example.org",
        status: "5.1.1",
        diagnosticCode: "550 5.1.1 no such user",
        reportingMta: "mx.example.org",
      },
      {
        action: "delayed",
        address: "ann@example.org",
        originalRecipient: null,
        status: null,
        diagnosticCode: null,
        reportingMta: "mx.example.org",
      },
    ]);
  });

  it("continue after an empty line with fields that they do not have yet", () => {
    const groups = groupsOf("Final-Recipient: rfc822; bob@example.org", "", "Action: failed", "Status: 5.2.2");
    expect(groups).toHaveLength(1);
    expect(groups[0]).toMatchObject({ address: "bob@example.org", action: "failed", status: "5.2.2" });
  });

  it("begin again after an empty line with a field that the last one has", () => {
    const groups = groupsOf("Action: failed", "Status: 5.1.1", "", "Action: delayed", "Status: 4.2.2");
    expect(groups.map(({ action, status }) => [action, status])).toEqual([
      ["failed", "5.1.1"],
      ["delayed", "4.2.2"],
    ]);
  });

  it("begin again after an empty line with another name of a recipient", () => {
    const groups = groupsOf("Action: failed", "Status: 5.1.1", "", "Final-Recipient: rfc822; ann@example.org");
    expect(groups.map(({ address }) => address)).toEqual([null, "ann@example.org"]);
  });

  it("begin again without an empty line at the next recipient", () => {
    const groups = groupsOf(
      "Final-Recipient: rfc822; bob@example.org",
      "Action: failed",
      "Final-Recipient: rfc822; ann@example.org",
      "Action: delayed",
    );
    expect(groups.map(({ address, action }) => [address, action])).toEqual([
      ["bob@example.org", "failed"],
      ["ann@example.org", "delayed"],
    ]);
  });

  it("keep the first of two original recipients, if nothing else was said between them", () => {
    const groups = groupsOf(
      "Original-Recipient: rfc822; one@example.org",
      "Original-Recipient: rfc822; two@example.org",
      "Final-Recipient: rfc822; bob@example.org",
    );
    expect(groups).toMatchObject([{ address: "bob@example.org", originalRecipient: "one@example.org" }]);
  });

  it("keep a field of another kind within the group of a recipient", () => {
    const [group] = groupsOf("Final-Recipient: rfc822; bob@example.org", "Reporting-MTA: dns; inner.example.org");
    expect(group?.reportingMta).toBe("inner.example.org");
  });

  it.each([
    [["Reporting-MTA: dns; mx.example.org", "Received-From-MTA: dns; from.example.org"], "mx.example.org"],
    [["Received-From-MTA: dns; from.example.org"], "from.example.org"],
    [["Reporting-MTA: mx.example.org"], "mx.example.org"],
    [["Reporting-MTA: dns;"], null],
    [["Arrival-Date: Mon, 2 Nov 2026 10:00:00 +0000"], null],
  ])("name the reporter of %j", (fields, name) => {
    const [group] = groupsOf(...fields, "", "Final-Recipient: rfc822; bob@example.org");
    expect(group?.reportingMta).toBe(name);
  });

  it("name the final recipient before the actual and the original one", () => {
    const named = (...fields: ReadonlyArray<string>) => {
      const [group] = groupsOf(...fields, "Action: failed");
      return [group?.address, group?.originalRecipient];
    };
    expect(
      named("X-Actual-Recipient: rfc822; actual@example.org", "Original-Recipient: rfc822; o@example.org"),
    ).toEqual(["actual@example.org", "o@example.org"]);
    expect(named("Original-Recipient: rfc822; o@example.org")).toEqual(["o@example.org", null]);
    expect(named("Final-Recipient: rfc822; O@Example.org", "Original-Recipient: rfc822; O@example.org")).toEqual([
      "O@Example.org",
      null,
    ]);
    expect(named("Action: failed")).toEqual([null, null]);
  });

  it.each([
    ["Action: failed", "Status: 5.1.1", "failed"],
    ["Action: Failed", "Status: 2.0.0", "delivered"],
    ["Action: delayed", "Status: 2.0.0", "delayed"],
    ["Action: deliverable", "Status: 5.1.1", "delivered"],
    ["Action: relayed", "", "delivered"],
    ["", "Status: 5.4.0", "failed"],
    ["", "Status: 4.4.5", null],
    ["", "", null],
  ])("read %j with %j as %s", (action, status, expected) => {
    const [group] = groupsOf("Final-Recipient: rfc822; bob@example.org", action, status);
    expect(group?.action).toBe(expected);
  });

  it("are 50 at most", () => {
    const many = Array.from({ length: 60 }, (_, n) => `Final-Recipient: rfc822; u${n}@example.org\nAction: failed\n`);
    const groups = statusGroups([many.join("\n")]);
    expect(groups).toHaveLength(50);
    expect(groups.at(-1)?.address).toBe("u49@example.org");
  });

  it("have at most 500 characters of a diagnostic, from its first", () => {
    const [group] = groupsOf("Final-Recipient: rfc822; b@example.org", `Diagnostic-Code: smtp; 550 ${"x".repeat(900)}`);
    expect(group?.diagnosticCode).toBe(`550 ${"x".repeat(496)}`);
  });
});

describe("the status of a recipient", () => {
  it.each([
    ["a field that names a cause", "5.2.2", "550 5.1.1 unknown", "", "5.2.2"],
    ["the diagnostic, if the field is vague in its detail", "5.1.0", "550 5.1.1 unknown", "", "5.1.1"],
    ["the field, if the diagnostic is as vague", "5.1.0", "550 5.2.0 no", "", "5.1.0"],
    ["the field, if the diagnostic has no code", "5.1.0", "no", "", "5.1.0"],
    ["the diagnostic, if the field is one of success", "2.0.0", "450 4.2.2 full", "", "4.2.2"],
    ["the diagnostic without a field", null, "550 5.7.1 denied", "", "5.7.1"],
    ["the words of the diagnostic, with the class of the field", "4.0.0", "user unknown", "", "4.1.1"],
    ["the words of the diagnostic, with the class of its reply", "4.0.0", "550 user unknown", "", "5.1.1"],
    ["the words of the diagnostic alone", null, "mailbox is full", "", "5.2.2"],
    [
      "the words of the notice, with the class of the field",
      "4.0.0",
      "no",
      "The user is unknown: user unknown",
      "4.1.1",
    ],
    ["the words of the notice, with the class of the diagnostic", null, "4.0.0 no", "user unknown", "4.1.1"],
    ["the code in the notice", null, null, "550 5.7.1 denied", "5.7.1"],
    ["the class of the field", "4.0.0", null, "", "4.0.0"],
    ["the class in the diagnostic", null, "4.0.0 no", "", "4.0.0"],
    ["the class of the reply in the diagnostic", null, "450 no", "", "4.2.0"],
    ["failure, if nothing tells more", null, null, "", "5.0.0"],
    ["failure, if the field is one of success", "2.0.0", null, "", "5.0.0"],
    ["a field that contains the digit of success", "5.7.2", null, "", "5.7.2"],
  ])("is that of %s", (_, field, diagnostic, notice, status) => {
    expect(groupStatus(field, diagnostic, notice)).toBe(status);
  });

  it("is reported from the fields of its group", () => {
    const group = {
      action: "failed" as const,
      address: "bob@example.org",
      originalRecipient: "alias@example.org",
      status: "5.0.0",
      diagnosticCode: "550 mailbox is full",
      reportingMta: "mx.example.org",
    };
    expect(recipientOf(group, "bob@example.org", "permanent", "")).toEqual({
      address: "bob@example.org",
      originalRecipient: "alias@example.org",
      type: "permanent",
      status: "5.2.2",
      diagnosticCode: "550 mailbox is full",
      reportingMta: "mx.example.org",
    });
  });
});
