import { MAIL_RETRIES, type AttemptOutcome, dueAt, type OutgoingMessage, stateOf } from "../src/send/index.ts";
import { answerOf } from "../src/send/neighbours.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  abandon,
  mark,
  type OutgoingChange,
  reap,
  resume,
  settle as settleWith,
  settleCopy as settleCopyWith,
} from "../src/send/outgoing/outgoing-transitions.ts";
import { cancel } from "../src/send/outgoing/holds.ts";
import { outgoing, reply, statesOf } from "./outgoing.ts";

const settle = (message: OutgoingMessage, outcome: AttemptOutcome, now: number) =>
  settleWith(message, outcome, now, MAIL_RETRIES);
const settleCopy = (message: OutgoingMessage, failure: Parameters<typeof settleCopyWith>[1], now: number) =>
  settleCopyWith(message, failure, now, MAIL_RETRIES);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MIXED = outgoing({ "yes@y.test": "queued", "mid@y.test": "queued", "no@y.test": "queued" });
const REPLIES = new Map([
  ["yes@y.test", reply(250)],
  ["mid@y.test", reply(451)],
  ["no@y.test", reply(550, "5.1.1")],
]);
const notSent: AttemptOutcome = { _tag: "NotSent", reason: "unreachable", detail: "refused" };

describe("a Message-ID that the server gives a message", () => {
  const given = (code: number, providerMessageId: string) =>
    settle(mark(MIXED, REPLIES).message, { _tag: "Answered", reply: reply(code), providerMessageId }, 1_000).message;

  it("is kept with the message and returned in the answer [S6.6-2]", () => {
    const message = given(250, "<p@outlook.test>");
    expect(message).toMatchObject({ messageId: MIXED.messageId, providerMessageId: "<p@outlook.test>" });
    expect(answerOf(message)).toMatchObject({ messageId: MIXED.messageId, providerMessageId: "<p@outlook.test>" });
  });

  it("is absent if the server kept ours, or refused the message", () => {
    for (const message of [given(250, MIXED.messageId), given(550, "<p@outlook.test>")]) {
      expect(message.providerMessageId).toBeUndefined();
      expect(answerOf(message).providerMessageId).toBeNull();
    }
  });
});

describe("mixed answers for three recipients", () => {
  const marked = mark(MIXED, REPLIES);

  it("are recorded for each recipient by the mark [S6.3-2]", () => {
    expect(statesOf(marked.message)).toEqual({ "yes@y.test": "dot", "mid@y.test": "queued", "no@y.test": "failed" });
    expect(marked.changes).toEqual([{ type: "email.bounced", recipient: "no@y.test", reply: reply(550, "5.1.1") }]);
  });

  it("settle the accepted recipient and retry only the temporary failure [S6.3-3] [S6.4-4]", () => {
    const { message, changes } = settle(marked.message, { _tag: "Answered", reply: reply(250) }, 1_000);
    expect(statesOf(message)).toEqual({ "yes@y.test": "sent", "mid@y.test": "queued", "no@y.test": "failed" });
    expect(changes).toEqual([{ type: "email.sent" }]);
    expect(message).toMatchObject({ step: 1, attemptAt: 1_000 + MINUTE, copy: { state: "owed", at: 1_000 } });
    expect(answerOf(message)).toMatchObject({
      outcome: "sent",
      rejected: [
        { recipient: "mid@y.test", status: "4.0.0" },
        { recipient: "no@y.test", status: "5.1.1" },
      ],
    });
  });

  it("leave only the marked recipient unknown when the process is lost [S6.3-4]", () => {
    const { message, changes } = reap(marked.message);
    expect(statesOf(message)).toEqual({ "yes@y.test": "unknown", "mid@y.test": "queued", "no@y.test": "failed" });
    expect(changes).toEqual([{ type: "email.failed", state: "unknown", reason: "process_lost" }]);
    expect(reap(message)).toEqual({ message, changes: [] });
    expect(message.attemptAt).toBe(0);
  });
});

describe("an attempt", () => {
  const dot = mark(outgoing(), new Map([["a@y.test", reply(250)]])).message;

  it.each<[string, OutgoingMessage, AttemptOutcome, string, ReadonlyArray<OutgoingChange["type"]>]>([
    ["2xx to the dot", dot, { _tag: "Answered", reply: reply(250) }, "sent", ["email.sent"]],
    ["4xx to the dot", dot, { _tag: "Answered", reply: reply(451) }, "queued", []],
    ["5xx to the dot", dot, { _tag: "Answered", reply: reply(554) }, "failed", ["email.bounced"]],
    [
      "no answer to the dot",
      dot,
      { _tag: "Unknown", reason: "connection_cut", detail: "" },
      "unknown",
      ["email.failed"],
    ],
    ["cut before the dot, marked", dot, notSent, "queued", []],
    ["refused before the dot, marked", dot, { _tag: "MessageRefused", reply: reply(552) }, "failed", ["email.bounced"]],
    ["unreachable", outgoing(), notSent, "queued", []],
    ["DATA refused for now", outgoing(), { _tag: "MessageRefused", reply: reply(451) }, "queued", []],
    [
      "DATA refused permanently",
      outgoing(),
      { _tag: "MessageRefused", reply: reply(554) },
      "failed",
      ["email.bounced"],
    ],
    ["sender refused for now", outgoing(), { _tag: "SenderRefused", reply: reply(450) }, "queued", []],
    [
      "sender refused permanently",
      outgoing(),
      { _tag: "SenderRefused", reply: reply(550) },
      "failed",
      ["email.failed"],
    ],
    ["too large", outgoing(), { _tag: "TooLarge", limit: 10 }, "failed", ["email.failed"]],
    [
      "all recipients refused permanently",
      outgoing(),
      { _tag: "RecipientsRefused", replies: new Map([["a@y.test", reply(550)]]) },
      "failed",
      ["email.bounced"],
    ],
    [
      "all recipients refused for now",
      outgoing(),
      { _tag: "RecipientsRefused", replies: new Map([["a@y.test", reply(451)]]) },
      "queued",
      [],
    ],
    ["password refused", outgoing(), { _tag: "AuthRefused", version: 1 }, "queued", []],
  ])("%s", (_, before, outcome, state, changes) => {
    const after = settle(before, outcome, 0);
    expect(stateOf(after.message, false)).toBe(state);
    expect(after.changes.map(({ type }) => type)).toEqual(changes);
    expect(after.message.attemptAt === null).toBe(state !== "queued");
  });

  it("retries after 1, 5, 15, 30, 60 and then every 120 minutes for 4 days, then gives up [S6.4-4]", () => {
    let message = outgoing();
    let now = message.createdAt;
    const waits: Array<number> = [];
    for (;;) {
      const after = settle(message, notSent, now);
      message = after.message;
      if (message.attemptAt === null) {
        expect(after.changes).toEqual([{ type: "email.failed", state: "failed", reason: "unreachable" }]);
        break;
      }
      waits.push((message.attemptAt - now) / 60_000);
      now = message.attemptAt;
    }
    expect(waits.slice(0, 8)).toEqual([1, 5, 15, 30, 60, 120, 120, 120]);
    expect(now - message.createdAt).toBe(MAIL_RETRIES.expiresAfter);
    expect(stateOf(message, false)).toBe("failed");
  });

  it("reports the waiting recipients once, at the first failure after 4 hours [S6.4-16]", () => {
    const HELD = 5 * HOUR;
    for (const before of [MIXED, { ...MIXED, scheduledFor: 3 * HOUR }, { ...MIXED, heldMillis: HELD }]) {
      const since = (before.scheduledFor ?? 0) + (before.heldMillis ?? 0);
      const busy: AttemptOutcome = { _tag: "RecipientsRefused", replies: REPLIES };
      const partly = settle(before, busy, since + 4 * HOUR - 1);
      expect(partly.changes.map(({ type }) => type)).toEqual(["email.bounced"]);
      const { message, changes } = settle(partly.message, notSent, since + 4 * HOUR);
      expect(changes).toEqual([
        { type: "email.delayed", recipient: "yes@y.test", reply: null },
        { type: "email.delayed", recipient: "mid@y.test", reply: reply(451) },
      ]);
      expect(settle(message, notSent, since + 6 * HOUR).changes).toEqual([]);
    }
  });

  it("bounces a recipient that was always refused temporarily when the message expires [S6.4-4]", () => {
    const busy: AttemptOutcome = { _tag: "RecipientsRefused", replies: new Map([["a@y.test", reply(451)]]) };
    const expiry = outgoing().createdAt + MAIL_RETRIES.expiresAfter;
    let after = settle(outgoing(), busy, expiry);
    expect(after.changes).toEqual([{ type: "email.bounced", recipient: "a@y.test", reply: reply(451) }]);
    after = settle(dot, notSent, expiry);
    expect(after.changes).toEqual([{ type: "email.failed", state: "failed", reason: "unreachable" }]);
  });

  it("makes one copy in Sent due, from the first acceptance on", () => {
    const first = settle(dot, { _tag: "Answered", reply: reply(250) }, 5).message;
    expect(dueAt(first)).toBe(5);
    const kept = settleCopy(first, null, 6);
    expect([kept.copy.state, dueAt(kept) === null]).toEqual(["kept", true]);
    const full = { reason: "over_quota", detail: "no room" };
    let tried = first;
    for (const wait of MAIL_RETRIES.delays) {
      tried = settleCopy(tried, full, 0);
      expect(tried.copy).toMatchObject({ state: "owed", at: wait, failure: full });
    }
    while (tried.copy.step < 53) tried = settleCopy(tried, full, 0);
    expect(settleCopy(tried, full, 0).copy).toMatchObject({ state: "given_up", at: null, failure: full });
    expect(settleCopy(tried, null, 0).copy).not.toHaveProperty("failure");
  });
});

it.each([
  ["unknown", ["unknown", "sent", "queued", "failed"]],
  ["sent", ["sent", "dot", "queued", "failed"]],
  ["sending", ["dot", "queued", "failed"]],
  ["queued", ["queued", "failed"]],
  ["failed", ["failed"]],
] as const)("a message is %s where its recipients are %j [S6.3-7]", (state, recipients) => {
  expect(stateOf(outgoing(Object.fromEntries(recipients.map((one) => [`${one}@y.test`, one]))), false)).toBe(state);
});

it("reports a message as too large, and a full mailbox as a refused sender", () => {
  const refused = (enhanced: string) =>
    settle(outgoing(), { _tag: "SenderRefused", reply: reply(552, enhanced) }, 0).message.failure?.reason;
  expect(["5.2.3", "5.3.4", "5.2.2"].map(refused)).toEqual([
    "message_too_large",
    "message_too_large",
    "sender_refused",
  ]);
});

describe("a refused password", () => {
  const refusal = (version: number): AttemptOutcome => ({ _tag: "AuthRefused", version });

  it("pauses the ladder for up to a day, then fails the message [S6.4-9] [S3.7-4]", () => {
    const message = { ...outgoing(), step: 2 };
    const first = settle(message, refusal(3), 1_000).message;
    expect(first).toMatchObject({ step: 2, paused: { since: 1_000, version: 3 }, attemptAt: 1_000 + 5 * MINUTE });
    const late = settle(first, refusal(3), 1_000 + 24 * HOUR - 1).message;
    expect(late).toMatchObject({ step: 2, attemptAt: 1_000 + 24 * HOUR });
    const end = settle(late, refusal(3), 1_000 + 24 * HOUR);
    expect(end.changes).toEqual([{ type: "email.failed", state: "failed", reason: "smtp_auth_failed" }]);
    expect(stateOf(end.message, false)).toBe("failed");
  });

  it("pauses the ladder while the account is paused, for up to a day [S10.3-27]", () => {
    const held = { _tag: "AccountPaused" } as const;
    const first = settle({ ...outgoing(), step: 2 }, held, 1_000).message;
    expect(first).toMatchObject({ step: 2, attemptAt: 1_000 + 5 * MINUTE, failure: { reason: "account_paused" } });
    expect(resume(first, 2_000).attemptAt).toBe(2_000);
    const end = settle(first, held, 1_000 + 24 * HOUR);
    expect(end.changes).toEqual([{ type: "email.failed", state: "failed", reason: "account_paused" }]);
  });

  it("is cleared once an attempt gets further", () => {
    const paused = settle(outgoing(), refusal(1), 0).message;
    expect(settle(paused, notSent, 10)).toMatchObject({ message: { paused: null, step: 1 } });
  });

  it("fails a message whose client waits", () => {
    const { message } = abandon(outgoing(), "smtp_auth_failed", "no");
    expect([stateOf(message, false), answerOf(message).outcome]).toEqual(["failed", "smtp_auth_failed"]);
  });
});

describe("cancelling a message", () => {
  it("works only while it is queued or scheduled [S6.6-3]", () => {
    const scheduled = { ...outgoing(), scheduledFor: 9, attemptAt: 9 };
    expect(stateOf(scheduled, false)).toBe("scheduled");
    for (const message of [outgoing(), scheduled]) {
      expect(stateOf(cancel(message), false)).toBe("cancelled");
      expect(dueAt(cancel(message))).toBeNull();
    }
    for (const state of ["dot", "sent", "failed", "unknown", "cancelled"] as const) {
      const message = outgoing({ "a@y.test": state, "b@y.test": state === "failed" ? "failed" : "queued" });
      if (state !== "cancelled") expect(cancel(message)).toBe(message);
    }
  });
});

/** Random sequences of events, with a server that records which recipients it accepted the message for. */
describe("in any sequence of events", () => {
  const ADDRESSES = ["a@y.test", "b@y.test", "c@y.test"];
  const code = fc.constantFrom(250, 451, 550);
  const step = fc.record({
    rcpt: fc.tuple(code, code, code),
    end: fc.constantFrom("answered", "cut", "silent", "lost", "lost after the answer", "auth", "sender", "refused"),
    answer: code,
    wait: fc.integer({ min: 0, max: HOUR }),
  });

  it("no recipient gets the message twice, none is forgotten, and each result is announced once [S6.3-8]", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const taken = new Map(ADDRESSES.map((address) => [address, 0]));
        const announced: Array<string> = [];
        let message = outgoing({ "a@y.test": "queued", "b@y.test": "queued", "c@y.test": "queued" });
        let now = 0;
        const apply = ({ message: after, changes }: ReturnType<typeof mark>) => {
          message = after;
          announced.push(
            ...changes.map((change) => ("recipient" in change ? `${change.type} ${change.recipient}` : change.type)),
          );
        };
        for (const { rcpt, end, answer, wait } of steps) {
          apply(reap(message));
          if (message.attemptAt === null) break;
          now = Math.max(now, message.attemptAt) + wait;
          const replies = new Map(ADDRESSES.map((address, n) => [address, reply(rcpt[n]!)]));
          const queued = message.recipients.filter(({ state }) => state === "queued").map(({ address }) => address);
          const mine = new Map([...replies].filter(([address]) => queued.includes(address)));
          if (end === "auth") {
            apply(settle(message, { _tag: "AuthRefused", version: 1 }, now));
            continue;
          }
          if (end === "sender") {
            apply(settle(message, { _tag: "SenderRefused", reply: reply(answer === 250 ? 450 : answer) }, now));
            continue;
          }
          if ([...mine.values()].every((said) => said.code !== 250)) {
            apply(settle(message, { _tag: "RecipientsRefused", replies: mine }, now));
            continue;
          }
          apply(mark(message, mine));
          const deliver = () => {
            if (answer !== 250) return;
            for (const [address, said] of mine) if (said.code === 250) taken.set(address, taken.get(address)! + 1);
          };
          if (end === "cut") apply(settle(message, notSent, now));
          else if (end === "refused") apply(settle(message, { _tag: "MessageRefused", reply: reply(451) }, now));
          else if (end === "lost") continue;
          else {
            deliver();
            if (end === "lost after the answer") continue;
            if (end === "silent") apply(settle(message, { _tag: "Unknown", reason: "timeout", detail: "" }, now));
            else apply(settle(message, { _tag: "Answered", reply: reply(answer) }, now));
          }
        }
        apply(reap(message));
        for (const { address, state } of message.recipients) {
          const times = taken.get(address)!;
          expect(times).toBeLessThanOrEqual(1);
          if (state === "sent") expect(times).toBe(1);
          if (times === 1) expect(["sent", "unknown"]).toContain(state);
          expect(state).not.toBe("dot");
        }
        const queued = message.recipients.some(({ state }) => state === "queued");
        expect(message.attemptAt !== null).toBe(queued);
        const once = announced.filter((item) => item !== "email.failed");
        expect(new Set(once).size).toBe(once.length);
        expect(announced.includes("email.sent")).toBe(message.recipients.some(({ state }) => state === "sent"));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("a message with its own expiry", () => {
  const message = { ...outgoing(), expiresAfter: 600_000 };
  const tried = (now: number, retries = MAIL_RETRIES) =>
    settleWith(message, { _tag: "NotSent", reason: "unreachable", detail: "" }, now, retries);

  it("is tried a last time when it expires, and then fails [S6.4-23]", () => {
    expect(tried(0).message.attemptAt).toBe(60_000);
    expect(tried(590_000).message.attemptAt).toBe(600_000);
    expect(tried(600_000)).toMatchObject({
      message: { attemptAt: null, recipients: [{ state: "failed" }] },
      changes: [{ type: "email.failed", state: "failed", reason: "unreachable" }],
    });
  });

  it("does not outlive the operator's setting", () => {
    expect(tried(300_000, { ...MAIL_RETRIES, expiresAfter: 300_000 }).message.attemptAt).toBeNull();
  });
});
