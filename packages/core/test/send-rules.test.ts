import { AccountId, canonicalText } from "../src/shared/index.ts";
import { classifyOpen, countOpen } from "../src/send/opens/opens.ts";
import { findAnswer, type MessageJournal } from "../src/send/journal-message.ts";
import { maySend } from "../src/send/identities/choose-sender.ts";
import {
  type SendAnswer,
  type SendQuota,
  senderPolicyOf,
  type TrackedMessage,
  UNUSED_QUOTA,
} from "../src/send/index.ts";
import { spend } from "../src/send/send-quota.ts";
import { Effect, Option, Result } from "effect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodedSize } from "../src/send/accept-message.ts";
import { withPixel } from "../src/send/opens/tracking-pixel.ts";

const rates = { perMinute: 3, perDay: 5 };

describe("the send quota", () => {
  it("limits messages per minute and per day, and returns the wait [S6.6-11] [S1.3-22]", () => {
    let quota: SendQuota = UNUSED_QUOTA;
    const at = (now: number) => {
      const spent = spend(quota, rates, now);
      if (Result.isFailure(spent)) return spent.failure.retryAfter;
      quota = spent.success;
      return "sent";
    };
    const start = 1_000_000_000;
    expect([at(start), at(start + 1), at(start + 2), at(start + 3)]).toEqual(["sent", "sent", "sent", 59_997]);
    expect([at(start + 60_000), at(start + 60_001)]).toEqual(["sent", "sent"]);
    expect(at(start + 60_002)).toBe(86_400_000 - 60_002);
    expect(at(start + 86_400_000)).toBe("sent");
  });

  it("never exceeds the limit, and accepts a message after the returned wait", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 60 }), (gaps) => {
        let [quota, now, sent]: [SendQuota, number, Array<number>] = [UNUSED_QUOTA, 1_000_000, []];
        for (const gap of gaps) {
          now += gap;
          const spent = spend(quota, { perMinute: 3, perDay: 1_000 }, now);
          if (Result.isSuccess(spent)) {
            quota = spent.success;
            sent.push(now);
            const { startedAt } = quota.minute;
            expect(sent.filter((at) => at >= startedAt).length).toBeLessThanOrEqual(3);
          } else {
            expect(spent.failure.retryAfter).toBeGreaterThan(0);
            const later = spend(quota, { perMinute: 3, perDay: 1_000 }, now + spent.failure.retryAfter);
            expect(Result.isSuccess(later)).toBe(true);
          }
        }
      }),
    );
  });
});

describe("the sender policy", () => {
  it("blocks addresses and whole domains in any spelling [S1.3-23]", () => {
    const policy = senderPolicyOf(["Bad@X.test", "@blocked.TEST", "@bücher.example"]);
    if (typeof policy === "string") throw new Error(policy);
    const blocked = (account: string) => !maySend(policy, AccountId(account));
    expect(["bad@x.test", "any@blocked.test", "a@xn--bcher-kva.example"].map(blocked)).toEqual([true, true, true]);
    expect(["good@x.test", "bad@y.test", "a@sub.blocked.test"].map(blocked)).toEqual([false, false, false]);
  });

  it("returns the entry that it cannot parse", () => {
    expect(senderPolicyOf(["a@b.c", "nonsense"])).toBe("nonsense");
    expect(senderPolicyOf(["@"])).toBe("@");
  });
});

describe("an idempotency key", () => {
  const account = AccountId("a@b.c");
  const answer: SendAnswer = { outcome: "sent", id: "out_1", messageId: "<out_1@b.c>", rejected: [], detail: "" };
  const record = { account, key: "k", bodyHash: "h", outgoingId: "out_1", createdAt: 0, answer };

  /** Returns the answer to a request with this body if the store has this record. */
  const told = (stored: typeof record | undefined, bodyHash: string, now: number) => {
    const find = () => Effect.succeed(Option.fromUndefinedOr(stored));
    const stores = { journal: {}, idempotencyKeys: { find } } as unknown as MessageJournal;
    const found = findAnswer(stores, { account, key: "k", bodyHash }, now);
    return Effect.runSync(Effect.match(found, { onSuccess: (known) => known, onFailure: ({ _tag }) => _tag }));
  };

  it("is new, repeated or reused for another request, for a day", () => {
    expect(told(undefined, "h", 0)).toBeUndefined();
    expect(told(record, "h", 86_399_999)).toEqual(answer);
    expect(told(record, "other", 86_399_999)).toBe("IdempotencyKeyReused");
    expect(told(record, "h", 86_400_000)).toBeUndefined();
    expect(told(record, "other", 86_400_000)).toBeUndefined();
  });

  it("ignores the order of fields", () => {
    const one = { to: "a@b.c", subject: "s", text: "t", headers: { "X-A": "1", "X-B": "2" } };
    const other = { headers: { "X-B": "2", "X-A": "1" }, text: "t", subject: "s", to: "a@b.c", cc: undefined };
    expect(canonicalText(one)).toBe(canonicalText(other));
    expect(canonicalText(one)).not.toBe(canonicalText({ ...one, text: "T" }));
    expect(canonicalText({ ...one, to: ["a@b.c", "d@e.f"] })).not.toBe(
      canonicalText({ ...one, to: ["d@e.f", "a@b.c"] }),
    );
  });
});

describe("openings", () => {
  const message: TrackedMessage = {
    id: "t",
    account: AccountId("a@b.c"),
    messageId: "<m@x>",
    recipient: null,
    opens: {},
    events: 0,
  };

  it("counts every opening and reports at most one a minute for each class, 50 in all [S7.8-1]", () => {
    let [current, reported] = [message, 0];
    const hit = (openClass: "human" | "proxy", now: number) => {
      const after = countOpen(current, openClass, now);
      [current, reported] = [after.message, reported + (after.isReported ? 1 : 0)];
      return after.isReported;
    };
    expect([hit("human", 0), hit("human", 59_999), hit("proxy", 59_999), hit("human", 60_000)]).toEqual([
      true,
      false,
      true,
      true,
    ]);
    for (let n = 2; n < 200; n++) hit("human", n * 60_000);
    expect(reported).toBe(50);
    expect(current.opens.human?.count).toBe(201);
  });

  it.each([
    ["Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 Safari/605.1.15", "", "human"],
    ["Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)", "", "proxy"],
    ["Mozilla/5.0", "", "prefetch"],
    ["Mozilla/5.0 (X11; Linux x86_64) Chrome/120", "prefetch", "prefetch"],
    ["curl/8.0", "", "scanner"],
    ["", "", "scanner"],
  ])("%s is %s", (userAgent, purpose, expected) => {
    expect(classifyOpen(userAgent, purpose)).toBe(expected);
  });

  it("are tracked by an image at the end of the body", () => {
    expect(withPixel("<html><body><p>x</p></BODY></html>", "http://h/t/1.gif")).toMatch(
      /<p>x<\/p><img src="http:\/\/h\/t\/1\.gif"[^>]*><\/BODY><\/html>$/,
    );
    expect(withPixel("<p>x</p>", "u")).toMatch(/^<p>x<\/p><img src="u"/);
  });
});

it("encodedSize counts a file as base64 in lines", () => {
  const size = (bytes: number) => encodedSize([], "", [{ size: bytes }]) - encodedSize([], "", [{ size: 0 }]);
  expect(size(57)).toBe(78);
  expect(size(58)).toBe(84);
  expect(size(25 * 1024 * 1024)).toBeLessThan(35.9 * 1024 * 1024);
});
