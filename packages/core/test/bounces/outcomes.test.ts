import { describe, expect, it } from "vitest";
import { recognise } from "../../src/bounces/recognise.ts";
import type { HeaderField } from "../../src/mail/index.ts";
import { fromDaemon, nested, part, report } from "./message.ts";

const RETURNED = nested([
  ["From", "alice@sender.example"],
  ["To", "bob@x.test"],
]);

/** The result of a notice from a mail system that returns a message to bob@x.test. */
const outcome = (subject: string, ...lines: ReadonlyArray<string>) => {
  const found = recognise(fromDaemon(subject, [part("text/plain", lines.join("\n")), RETURNED]));
  return found.kind === "none" ? found.reason : found.kind;
};
const filled = (length: number, end: string) => end.padStart(length, "x");

describe("a notice of a mail system", () => {
  it.each([
    ["a delay in the subject", "Delivery delayed", "for bob@x.test", "delay"],
    ["a failure in the subject, even of a delayed message", "Delayed mail was returned", "It failed to send", "bounce"],
    ["an announced attempt", "Plan", "bob@x.test: we will try again", "delay"],
    ["an announced attempt after a refusal", "Plan", "bob@x.test: 550 no. We will try again", "bounce"],
    ["an announced attempt after a temporary answer", "Plan", "bob@x.test: 450 no. We will try again", "delay"],
    ["an announced attempt after a final failure", "Plan", "It was not delivered. We will try again", "bounce"],
    [
      "a needless second message",
      "Plan",
      "It could not be delivered to bob@x.test. You do not need to resend it.",
      "delay",
    ],
    [
      "a needless second message at the end of all attempts",
      "Plan",
      "It could not be delivered to bob@x.test. You do not need to resend it. We gave up.",
      "bounce",
    ],
    ["a success in the subject", "Successful transmission", "It failed to send to bob@x.test", "delivered"],
    ["no success in the subject", "Transmission not successful", "It failed to send to bob@x.test", "bounce"],
    ["a success", "Plan", "It was delivered to bob@x.test", "delivered"],
    ["a success of one of two", "Plan", "It was delivered to a@x.test. It was not delivered to bob@x.test", "bounce"],
    [
      "a success under the subject of a bounce",
      "Undeliverable",
      "Failed to send: was delivered to bob@x.test",
      "bounce",
    ],
    ["a failure in words", "Plan", "It failed to send to bob@x.test", "bounce"],
    ["a reply code", "Plan", "bob@x.test: 550", "bounce"],
    ["a cause", "Plan", "bob@x.test: mailbox full", "bounce"],
    ["none of these", "Plan", "Hello bob@x.test", "ordinary"],
  ])("tells %s", (_, subject, text, expected) => expect(outcome(subject, text)).toBe(expected));

  it("tells it in the first 500 characters of its subject", () => {
    expect(outcome(filled(500, " delay"), "for bob@x.test")).toBe("delay");
    expect(outcome(filled(501, " delay"), "for bob@x.test")).toBe("ordinary");
  });

  it("tells it in its first 60 lines", () => {
    const lines = (count: number) => Array<string>(count).fill("line");
    expect(outcome("Plan", ...lines(59), "It failed to send to bob@x.test")).toBe("bounce");
    expect(outcome("Plan", ...lines(60), "It failed to send to bob@x.test")).toBe("ordinary");
  });

  it("tells it in its first 6000 characters", () => {
    const lines = (last: number) => [...Array<string>(6).fill("x".repeat(899)), filled(last, " we gave up")];
    expect(outcome("Plan", ...lines(600))).toBe("bounce");
    expect(outcome("Plan", ...lines(601))).toBe("ordinary");
  });
});

describe("the fields of a mail system's report", () => {
  const HEADERS: ReadonlyArray<HeaderField> = [report];
  const status = (subject: string, notice: string, ...groups: ReadonlyArray<ReadonlyArray<string>>) => {
    const fields = groups.map((group) => group.join("\n")).join("\n\n");
    const parts = [part("text/plain", notice), part("message/delivery-status", fields)];
    const found = recognise(fromDaemon(subject, parts, HEADERS));
    if (found.kind === "none") return found.reason;
    if (found.kind === "complaint") return found.kind;
    return [found.kind, ...found.recipients.map((one) => `${one.address} ${one.type} ${one.status}`)];
  };
  const to = (address: string) => `Final-Recipient: rfc822; ${address}`;
  const FAILED = "Action: failed";
  const DELAYED = "Action: delayed";
  const DELIVERED = "Action: delivered";

  it("are no report if each recipient has the message", () => {
    expect(status("Plan", "", [to("a@x.test"), DELIVERED], [to("b@x.test"), DELIVERED])).toBe("delivered");
  });

  it("are no report without action and status if the subject tells a success", () => {
    expect(status("Successful transmission", "", [to("a@x.test"), "X-A: b"])).toBe("delivered");
    expect(status("Plan", "", [to("a@x.test")])).toEqual(["bounce", "a@x.test permanent 5.0.0"]);
    expect(status("Successful transmission", "", [to("a@x.test"), "Status: 4.2.2"])).toEqual([
      "bounce",
      "a@x.test permanent 4.2.2",
    ]);
    expect(status("Successful transmission", "", [to("a@x.test"), DELAYED])).toEqual([
      "delay",
      "a@x.test transient 5.0.0",
    ]);
    expect(status("Successful transmission", "", [to("a@x.test")], [to("b@x.test"), FAILED])).toEqual([
      "bounce",
      "a@x.test permanent 5.0.0",
      "b@x.test permanent 5.0.0",
    ]);
  });

  it("are a delay by their action, and without action by the words of the notice", () => {
    expect(status("Plan", "It failed.", [to("a@x.test"), DELAYED, "Status: 4.2.2"])).toEqual([
      "delay",
      "a@x.test transient 4.2.2",
    ]);
    expect(status("Delivery delayed", "", [to("a@x.test"), "Status: 4.2.2"])).toEqual([
      "delay",
      "a@x.test transient 4.2.2",
    ]);
    expect(status("Plan", "", [to("a@x.test"), "Status: 4.2.2"])).toEqual(["bounce", "a@x.test permanent 4.2.2"]);
    expect(status("Delivery delayed", "", [to("a@x.test"), FAILED, "Status: 4.2.2"])).toEqual([
      "bounce",
      "a@x.test permanent 4.2.2",
    ]);
  });

  it("are a bounce if one of the recipients has failed", () => {
    expect(
      status("Plan", "", [to("a@x.test"), DELAYED, "Status: 4.2.2"], [to("b@x.test"), FAILED, "Status: 5.1.1"]),
    ).toEqual(["bounce", "a@x.test transient 4.2.2", "b@x.test permanent 5.1.1"]);
  });

  it("count once for each recipient: a failure more than a delay, otherwise the first", () => {
    const delay = [to("a@x.test"), DELAYED, "Status: 4.2.2"];
    const failure = [to("A@x.test"), FAILED, "Status: 5.1.1"];
    const other = [to("a@x.test"), FAILED, "Status: 5.2.2"];
    expect(status("Plan", "", delay, failure)).toEqual(["bounce", "A@x.test permanent 5.1.1"]);
    expect(status("Plan", "", failure, delay)).toEqual(["bounce", "A@x.test permanent 5.1.1"]);
    expect(status("Plan", "", failure, other)).toEqual(["bounce", "A@x.test permanent 5.1.1"]);
    expect(status("Plan", "", delay, [...delay.slice(0, 2), "Status: 4.4.1"])).toEqual([
      "delay",
      "a@x.test transient 4.2.2",
    ]);
  });

  it("without a cause take it from the lines about the recipient, or from the notice if it is the only one", () => {
    const only = [to("a@x.test"), FAILED];
    const other = [to("b@x.test"), FAILED];
    expect(status("Plan", "The mailbox is full.", only)).toEqual(["bounce", "a@x.test permanent 5.2.2"]);
    expect(status("Plan", "The mailbox is full.", only, other)).toEqual([
      "bounce",
      "a@x.test permanent 5.0.0",
      "b@x.test permanent 5.0.0",
    ]);
    expect(status("Plan", "The mailbox is full.", only, [to("b@x.test"), DELIVERED])).toEqual([
      "bounce",
      "a@x.test permanent 5.2.2",
    ]);
    expect(status("Plan", "<A@x.test>: mailbox full\n\n<b@x.test>: user unknown", only, other)).toEqual([
      "bounce",
      "a@x.test permanent 5.2.2",
      "b@x.test permanent 5.1.1",
    ]);
  });

  it("without an address are about the recipients that the notice names", () => {
    const notice = "<a@x.test>: mailbox full\n\n<b@x.test>: user unknown\n\n<c@x.test>: 553\n\n<d@x.test>: 552";
    const nameless = [to("unknown"), FAILED];
    expect(status("Plan", notice, nameless)).toEqual([
      "bounce",
      "a@x.test permanent 5.2.2",
      "b@x.test permanent 5.1.1",
      "c@x.test permanent 5.1.3",
      "d@x.test permanent 5.2.2",
    ]);
    expect(status("Plan", notice, nameless, nameless)).toEqual([
      "bounce",
      "a@x.test permanent 5.2.2",
      "b@x.test permanent 5.1.1",
    ]);
    expect(status("Plan", "It failed.", nameless)).toBe("no_recipient");
  });
});
