import { describe, expect, it } from "vitest";
import { replyStatus, replyText } from "../../src/send/index.ts";
import { failureOf } from "../../src/send/outgoing/outgoing-state.ts";
import type { AttemptOutcome } from "../../src/send/outgoing/AttemptOutcome.ts";
import { reply } from "../outgoing.ts";

describe("a reply", () => {
  it("is shown as one line of the parts that it has", () => {
    expect(replyText({ code: 550, enhanced: "5.1.1", text: "No such user" })).toBe("550 5.1.1 No such user");
    expect(replyText({ code: 421, enhanced: null, text: "Busy" })).toBe("421 Busy");
    expect(replyText({ code: 250, enhanced: null, text: "" })).toBe("250");
  });

  it("has its enhanced status, or the class of its code", () => {
    expect(replyStatus(reply(550, "5.1.1"))).toBe("5.1.1");
    expect([250, 451, 599].map((code) => replyStatus(reply(code)))).toEqual(["2.0.0", "4.0.0", "5.0.0"]);
  });
});

it.each<[AttemptOutcome, string | null, string]>([
  [{ _tag: "Answered", reply: reply(250) }, null, ""],
  [{ _tag: "Answered", reply: reply(399) }, null, ""],
  [{ _tag: "Answered", reply: reply(400) }, "message_refused", "400 said so"],
  [{ _tag: "Answered", reply: reply(554, "5.7.1") }, "message_refused", "554 5.7.1 said so"],
  [{ _tag: "MessageRefused", reply: reply(554) }, "message_refused", "554 said so"],
  [{ _tag: "SenderRefused", reply: reply(550) }, "sender_refused", "550 said so"],
  [{ _tag: "SenderRefused", reply: reply(552, "5.2.2") }, "sender_refused", "552 5.2.2 said so"],
  [
    { _tag: "SenderRefused", reply: reply(552, "5.2.3") },
    "message_too_large",
    "size of the message: 552 5.2.3 said so",
  ],
  [
    { _tag: "SenderRefused", reply: reply(552, "5.3.4") },
    "message_too_large",
    "size of the message: 552 5.3.4 said so",
  ],
  [{ _tag: "RecipientsRefused", replies: new Map() }, "recipient_refused", "refused every recipient"],
  [{ _tag: "TooLarge", limit: 1_000 }, "message_too_large", "at most 1000 bytes"],
  [{ _tag: "AuthRefused", version: 1 }, "smtp_auth_failed", "refuses the account's password or token"],
  [{ _tag: "AccountPaused" }, "account_paused", "the account is paused"],
  [{ _tag: "Withheld" }, null, ""],
  [{ _tag: "HostLimited" }, "busy", "MAIL_HOST_CONNECTIONS"],
  [{ _tag: "NotSent", reason: "unreachable", detail: "refused" }, "unreachable", "refused"],
  [{ _tag: "Unknown", reason: "timeout", detail: "no reply" }, "timeout", "no reply"],
])("the failure of %o is %s", (outcome, reason, detail) => {
  const failure = failureOf(outcome);
  expect(failure?.reason ?? null).toBe(reason);
  expect(failure?.detail ?? "").toContain(detail);
});
