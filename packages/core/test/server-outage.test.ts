import { type AttemptOutcome, MAIL_RETRIES, withdraw } from "../src/send/index.ts";
import { hold } from "../src/send/outgoing/holds.ts";
import { scheduleProbe, unreachedServer, answeringServer, wake } from "../src/send/outgoing/ServerOutages.ts";
import { describe, expect, it } from "vitest";
import { hasten, reap, settle } from "../src/send/outgoing/outgoing-transitions.ts";
import { outgoing, reply } from "./outgoing.ts";

const SERVER = "smtp.x.test:465";
const down: AttemptOutcome = { _tag: "NotSent", reason: "timeout", detail: "slow", server: SERVER };
const waiting = settle(outgoing(), down, 1_000, MAIL_RETRIES).message;

describe("an outcome", () => {
  it("says that its server is down only if the server caused it", () => {
    for (const reason of ["unreachable", "untrusted", "timeout", "connection_cut", "busy", "flood"] as const) {
      expect(unreachedServer({ ...down, reason })).toBe(SERVER);
    }
    expect(unreachedServer({ ...down, reason: "protocol" })).toBeUndefined();
    expect(unreachedServer({ _tag: "SenderRefused", reply: reply(451), server: SERVER })).toBeUndefined();
    expect(unreachedServer({ _tag: "Unknown", reason: "connection_cut", detail: "", server: SERVER })).toBeUndefined();
  });

  it("says that its server is up if the server answered", () => {
    expect(answeringServer({ _tag: "Answered", reply: reply(452), server: SERVER })).toBe(SERVER);
    expect(answeringServer({ _tag: "AuthRefused", version: 1, server: SERVER })).toBe(SERVER);
    expect(answeringServer({ _tag: "AccountPaused" })).toBeUndefined();
    expect(answeringServer({ _tag: "Unknown", reason: "connection_cut", detail: "", server: SERVER })).toBeUndefined();
    expect(answeringServer({ ...down, reason: "protocol" })).toBeUndefined();
  });
});

describe("a message", () => {
  it("waits for a server that is down, on its ladder", () => {
    expect(waiting).toMatchObject({ waitsFor: SERVER, attemptAt: 61_000, step: 1 });
  });

  it("waits for no server after any other outcome", () => {
    const outcomes: ReadonlyArray<AttemptOutcome> = [
      { _tag: "SenderRefused", reply: reply(451), server: SERVER },
      { _tag: "AuthRefused", version: 1, server: SERVER },
      { _tag: "AccountPaused" },
      { _tag: "Withheld" },
      { ...down, reason: "protocol" },
    ];
    for (const outcome of outcomes) {
      const { message } = settle(waiting, outcome, 2_000, MAIL_RETRIES);
      expect([message.waitsFor, message.attemptAt === null]).toEqual([undefined, false]);
    }
    const expired = settle(waiting, down, MAIL_RETRIES.expiresAfter, MAIL_RETRIES).message;
    for (const message of [expired, hold(waiting, 2_000), withdraw(waiting)]) expect(message.waitsFor).toBeUndefined();
    const marked = { ...outgoing({ "a@y.test": "dot", "b@y.test": "queued" }), waitsFor: SERVER };
    expect(reap(marked).message.waitsFor).toBeUndefined();
  });

  it("is due in 30 seconds at the latest as a probe", () => {
    expect(scheduleProbe(waiting, 1_000).attemptAt).toBe(31_000);
    expect(scheduleProbe(waiting, 31_000)).toBe(waiting);
    const done = { ...waiting, attemptAt: null };
    expect(scheduleProbe(done, 1_000)).toBe(done);
  });

  it("is due at once when its server is back, and waits for it no more", () => {
    const { waitsFor: _, ...rest } = waiting;
    expect(wake(waiting, 2_000)).toEqual({ ...rest, attemptAt: 2_000 });
    expect(wake(waiting, 90_000)).toEqual(rest);
  });

  it("is made due earlier only while it is queued", () => {
    expect(hasten(waiting, 2_000)).toEqual({ ...waiting, attemptAt: 2_000 });
    const scheduled = { ...outgoing(), scheduledFor: 9_000, attemptAt: 9_000 };
    for (const message of [waiting, hold(waiting, 2_000), scheduled, outgoing({ "a@y.test": "sent" })]) {
      expect(hasten(message, message === waiting ? 61_000 : 2_000)).toBe(message);
    }
  });
});
