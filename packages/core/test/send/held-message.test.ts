import { Duration, Result } from "effect";
import { describe, expect, it } from "vitest";
import type { OutgoingMessage } from "../../src/send/index.ts";
import {
  carryOut,
  disown,
  hold,
  holdForDeletedApplication,
  releasedBy,
  releaseOf,
  unhold,
  withdraw,
} from "../../src/send/outgoing/holds.ts";
import { reap } from "../../src/send/outgoing/outgoing-transitions.ts";
import { HOLD_LIFETIME, ordersFor } from "../../src/send/outgoing/outgoing-state.ts";
import { scheduleProbe, unreachedServer, answeringServer, wake } from "../../src/send/outgoing/ServerOutages.ts";
import { answerOf, receiptOf } from "../../src/send/send-answer.ts";
import { outgoing, reply, statesOf } from "../outgoing.ts";

const queued: OutgoingMessage = { ...outgoing({ "a@y.test": "queued", "b@y.test": "sent" }), attemptAt: 50 };
const AUTHOR = { key: "k1", application: "app" };

describe("a held message", () => {
  it("waits without an attempt or a server, since it was first held", () => {
    const held = hold({ ...queued, waitsFor: "smtp.x.test:465" }, 10);
    expect(held).toEqual({ ...queued, heldSince: 10 });
    expect(hold(held, 20)).toBe(held);
    for (const other of [{ ...queued, attemptAt: null }, outgoing({ "a@y.test": "sent" })])
      expect(hold(other, 10)).toBe(other);
  });

  it("is sent at its time or at once when it is released, and its hold does not count as waiting", () => {
    const held = { ...hold(queued, 10), author: AUTHOR };
    expect(unhold(held, null, 30)).toEqual({ ...queued, attemptAt: 50, heldMillis: 20 });
    expect(unhold(held, AUTHOR, 70)).toEqual({ ...queued, attemptAt: 70, heldMillis: 60, author: AUTHOR });
    expect(unhold(hold({ ...unhold(held, null, 30) }, 40), null, 45).heldMillis).toBe(25);
  });

  it("is released by a person, the operator, or a key of its application [S6.6-8]", () => {
    const held = { ...hold(queued, 10), author: AUTHOR };
    const sameApplication = { key: "k2", application: "app" };
    expect(releasedBy(held, null, 30)).toEqual(unhold(held, null, 30));
    expect(releasedBy(held, "operator", 30)).toEqual(unhold(held, null, 30));
    expect(releasedBy(held, sameApplication, 30)).toEqual(unhold(held, sameApplication, 30));
    expect(releasedBy(held, { key: "k1", application: "other" }, 30)).toMatch(/another application/);
    expect(releasedBy(hold(queued, 10), AUTHOR, 30)).toMatch(/another application/);
    expect(releasedBy(queued, "operator", 30)).toMatch(/not held/);
  });

  it("is released only by its holder, and still belongs to its key [S6.7-5]", () => {
    const message = { ...queued, author: AUTHOR };
    const held = hold(message, 10, "operator");
    expect(held).toEqual({ ...message, heldSince: 10, heldBy: "operator" });
    for (const by of [null, AUTHOR]) expect(releasedBy(held, by, 30)).toMatch(/operator/);
    expect(releasedBy(held, "operator", 30)).toEqual({ ...message, attemptAt: 50, heldMillis: 20 });
    expect(releaseOf(held, "suspension", 30)).toBe(held);
    const suspended = hold(message, 10, "suspension");
    for (const by of [null, AUTHOR, "operator"] as const) expect(releasedBy(suspended, by, 30)).toMatch(/suspended/);
    expect(releaseOf(suspended, "operator", 30)).toBe(suspended);
    expect(releaseOf(suspended, "suspension", 30)).toEqual({ ...message, attemptAt: 50, heldMillis: 20 });
    // The operator's hold takes precedence over any other hold.
    expect(hold(suspended, 20, "operator")).toEqual({ ...suspended, heldBy: "operator" });
    expect(hold(held, 20, "suspension")).toBe(held);
    expect(hold(held, 20)).toBe(held);
  });

  it("keeps the time for which it has waited for its credential", () => {
    const paused = { ...queued, paused: { since: 5, version: 1 } };
    expect(unhold(hold(paused, 10), null, 30).paused).toEqual({ since: 25, version: 1 });
  });

  it("gets the change that was requested during its attempt [S6.7-3]", () => {
    const held = hold(queued, 10, "operator");
    expect(carryOut({ ...queued, asked: "hold" }, 10)).toEqual(held);
    expect(carryOut({ ...queued, asked: "cancel" }, 10)).toEqual(withdraw(queued));
    expect(carryOut({ ...held, asked: "release" }, 30)).toEqual({ ...queued, heldMillis: 20 });
    expect(carryOut(queued, 10)).toBe(queued);
  });

  it("gets the operator's hold also if its attempt ended in another hold [S6.7-3]", () => {
    const others = [queued, hold(queued, 10), hold(queued, 10, "suspension")];
    for (const other of others) {
      expect(ordersFor(other)).toEqual(["cancel", "hold"]);
      expect(carryOut({ ...other, asked: "hold" }, 10)).toEqual(hold(queued, 10, "operator"));
    }
    expect(ordersFor(hold(queued, 10, "operator"))).toEqual(["cancel", "release"]);
    expect(ordersFor(withdraw(queued))).toEqual([]);
  });

  it("is not changed before a worker has reaped its recipients at the dot [S6.3-4]", () => {
    const left = { ...outgoing({ "a@y.test": "dot", "b@y.test": "queued" }), attemptAt: 50 };
    for (const changed of [hold(left, 10), hold(left, 10, "operator"), withdraw(left)]) expect(changed).toBe(left);
    const { message } = reap({ ...left, asked: "cancel" });
    expect(statesOf(carryOut(message, 60))).toEqual({ "a@y.test": "unknown", "b@y.test": "cancelled" });
  });

  it("is cancelled after 30 days, for the recipients that it was not sent to", () => {
    const held = hold(queued, 10);
    const end = 10 + Duration.toMillis(HOLD_LIFETIME);
    expect(carryOut(held, end - 1)).toBe(held);
    expect(statesOf(carryOut(held, end))).toEqual({ "a@y.test": "cancelled", "b@y.test": "sent" });
    expect(carryOut(held, end)).toMatchObject({ attemptAt: null, paused: null });
    expect(carryOut(held, end)).not.toHaveProperty("heldSince");
    expect(carryOut(queued, end)).toBe(queued);
    const sent = outgoing({ "a@y.test": "sent" });
    expect(withdraw(sent)).toBe(sent);
  });

  it("that outlives its key no longer names it as the author", () => {
    expect(disown({ ...queued, author: AUTHOR }, 10)).toEqual(queued);
    for (const other of [queued, { ...outgoing({ "a@y.test": "sent" }), author: AUTHOR }])
      expect(disown(other, 10)).toBe(other);
  });

  it("that outlives its key outlives the suspension of its application [S10.2-3]", () => {
    const suspended = hold({ ...queued, author: AUTHOR }, 10, "suspension");
    expect(disown(suspended, 30)).toEqual({ ...queued, heldMillis: 20 });
    const byOperator = hold({ ...queued, author: AUTHOR }, 10, "operator");
    expect(disown(byOperator, 30)).toEqual(hold(queued, 10, "operator"));
  });

  it("whose suspended application is deleted is held like that of a deleted key [S6.6-8]", () => {
    const suspended = hold({ ...queued, author: AUTHOR }, 10, "suspension");
    const kept = holdForDeletedApplication(suspended, 30);
    expect(kept).toEqual(hold({ ...queued, author: AUTHOR }, 10));
    expect(releasedBy(kept, null, 40)).toMatchObject({ heldMillis: 30 });
    expect(holdForDeletedApplication({ ...queued, author: AUTHOR }, 30)).toEqual(
      hold({ ...queued, author: AUTHOR }, 30),
    );
    const byOperator = hold(queued, 10, "operator");
    expect(holdForDeletedApplication(byOperator, 30)).toBe(byOperator);
  });
});

describe("a message that waits for a mail server", () => {
  it("is its probe if it is tried within 30 seconds", () => {
    expect(scheduleProbe({ ...queued, attemptAt: 30_011 }, 10).attemptAt).toBe(30_010);
    for (const attemptAt of [null, 30_010, 5]) {
      const other = { ...queued, attemptAt };
      expect(scheduleProbe(other, 10)).toBe(other);
    }
  });

  it("is due at once when the server is back", () => {
    expect(wake({ ...queued, waitsFor: "s:1" }, 10)).toEqual({ ...queued, attemptAt: 10 });
    expect(wake({ ...queued, waitsFor: "s:1", attemptAt: 9 }, 10)).toEqual({ ...queued, attemptAt: 9 });
    expect(wake({ ...queued, waitsFor: "s:1", attemptAt: null }, 10)).toEqual({ ...queued, attemptAt: null });
  });

  it("waits only after a failure of the whole server", () => {
    const server = "s:1";
    const failed = (
      reason: "unreachable" | "untrusted" | "timeout" | "connection_cut" | "busy" | "flood" | "protocol",
    ) => unreachedServer({ _tag: "NotSent", reason, detail: "", server });
    for (const reason of ["unreachable", "untrusted", "timeout", "connection_cut", "busy", "flood"] as const) {
      expect(failed(reason)).toBe(server);
    }
    expect(failed("protocol")).toBeUndefined();
    expect(unreachedServer({ _tag: "Unknown", reason: "timeout", detail: "", server })).toBeUndefined();
    expect(answeringServer({ _tag: "Answered", reply: reply(550), server })).toBe(server);
    expect(answeringServer({ _tag: "AuthRefused", version: 1, server })).toBe(server);
    expect(answeringServer({ _tag: "NotSent", reason: "busy", detail: "", server })).toBeUndefined();
    expect(answeringServer({ _tag: "Unknown", reason: "timeout", detail: "", server })).toBeUndefined();
  });
});

describe("the answer to a request to send", () => {
  const told = (message: OutgoingMessage) =>
    Result.match(receiptOf(answerOf(message)), { onSuccess: ({ status }) => status, onFailure: ({ _tag }) => _tag });
  const failed = (
    reason: "sender_refused" | "smtp_auth_failed" | "message_too_large" | "recipient_refused" | "unreachable",
  ) => ({
    ...outgoing({ "a@y.test": "failed" }),
    failure: { reason, detail: "d" },
  });
  const refused = { address: "a@y.test", state: "failed", reply: reply(550, "5.1.1") } as const;

  it.each<[string, OutgoingMessage, string]>([
    ["queued", outgoing(), "queued"],
    ["sent", outgoing({ "a@y.test": "sent", "b@y.test": "queued" }), "sent"],
    ["scheduled", { ...outgoing(), attemptAt: 9, scheduledFor: 9 }, "scheduled"],
    ["cancelled", outgoing({ "a@y.test": "cancelled" }), "queued"],
    ["of an unknown outcome", outgoing({ "a@y.test": "unknown" }), "SendOutcomeUnknown"],
    ["refused by its sender", failed("sender_refused"), "SenderRefused"],
    ["refused by the credential", failed("smtp_auth_failed"), "SmtpAuthRefused"],
    ["too large", failed("message_too_large"), "MessageTooLarge"],
    ["refused by its recipient", { ...failed("recipient_refused"), recipients: [refused] }, "RecipientRefused"],
    ["failed without an answer", failed("unreachable"), "queued"],
  ])("for a message that is %s", (_, message, answer) => expect(told(message)).toBe(answer));

  it("names the recipients that the server refused", () => {
    const accepted = { address: "b@y.test", state: "sent", reply: reply(399) } as const;
    const later = { address: "c@y.test", state: "queued", reply: reply(400) } as const;
    expect(answerOf({ ...outgoing(), recipients: [refused, accepted, later] }).rejected).toEqual([
      { recipient: "a@y.test", status: "5.1.1", detail: "550 5.1.1 said so" },
      { recipient: "c@y.test", status: "4.0.0", detail: "400 said so" },
    ]);
    expect(answerOf({ ...failed("unreachable"), providerMessageId: "<p@x>" })).toMatchObject({
      detail: "d",
      providerMessageId: "<p@x>",
    });
  });
});
