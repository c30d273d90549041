import { describe, expect, it } from "vitest";
import {
  causeInWords,
  enhancedStatusIn,
  isSpecific,
  quotesRefusal,
  replyCodeIn,
  statusByWords,
  statusFrom,
  statusOf,
} from "../../src/bounces/enhanced-status.ts";

describe("the enhanced status in a text", () => {
  it.each([
    ["the first of equal ones", "5.1.1 then 5.2.2", "5.1.1"],
    ["one with a detail rather than one with a subject", "5.1.0 then 5.0.1", "5.0.1"],
    ["one with a subject rather than a class", "5.0.0 then 5.1.0", "5.1.0"],
    ["one with both rather than one with a detail", "5.0.1 then 5.1.1", "5.1.1"],
    ["without leading zeros", "5.01.001", "5.1.1"],
    ["none of success", "2.1.5 then 4.2.0", "4.2.0"],
    ["no version", "Postfix 5.1.1 says 4.4.0", "4.4.0"],
    ["no version in brackets", "server (5.1.1) says 4.4.0", "4.4.0"],
    ["no part of an address", "5.1.1.9 then 15.1.1 and 5.1.1234", null],
    ["one whose word of a version is too far away", "Postfix at mail: 5.1.1", "5.1.1"],
    ["none", "5.1 and nothing", null],
  ])("is %s", (_, text, status) => expect(enhancedStatusIn(text)).toBe(status));

  it("is one of the first 20, within the first 4000 characters", () => {
    const vague = (count: number) => "4.0.0 ".repeat(count);
    expect(enhancedStatusIn(`${vague(19)}5.1.1`)).toBe("5.1.1");
    expect(enhancedStatusIn(`${vague(20)}5.1.1`)).toBe("4.0.0");
    expect(enhancedStatusIn(`${" ".repeat(3_995)}5.1.1`)).toBe("5.1.1");
    expect(enhancedStatusIn(`${" ".repeat(3_996)}5.1.10`)).toBeNull();
  });

  it("is specific with a subject or a detail", () => {
    expect(["5.0.0", "5.1.0", "5.0.1", "4.4.7"].map(isSpecific)).toEqual([false, true, true, true]);
  });
});

describe("a reply code in a text", () => {
  it.each([
    ["550 no", 550],
    ["said: 450-4.2.0", 450],
    ["waited 550 seconds, then 451 try later", 451],
    ["599 is no reply, 554 is", 554],
    ["1.550 and [550] and 550", 550],
    ["nothing", null],
  ])("is read from %j", (text, code) => expect(replyCodeIn(text)).toBe(code));

  it("is only a number that mail servers answer with, by RFC 5321 or by their own choice", () => {
    const byRfc = [421, 450, 451, 452, 455, 500, 501, 502, 503, 504, 550, 551, 552, 553, 554, 555];
    const ofExtensions = [422, 431, 432, 441, 442, 446, 447, 449, 454, 471, 521, 523, 530, 533, 534, 535, 556];
    const ofProviders = [505, 510, 511, 512, 515, 517, 522, 524, 525, 540, 541, 542, 543, 545, 546, 547, 571];
    const read = Array.from({ length: 200 }, (_, n) => 400 + n).filter((code) => replyCodeIn(`${code} no`) === code);
    expect(read).toEqual([...byRfc, ...ofExtensions, ...ofProviders].toSorted((one, other) => one - other));
  });

  it("is looked for in the first 4000 characters", () => {
    expect(replyCodeIn(`${" ".repeat(3_997)}550`)).toBe(550);
    expect(replyCodeIn(`${" ".repeat(3_998)}550`)).toBeNull();
  });

  it.each([
    ["550 no", true],
    ["500 bad command", true],
    ["450 later", false],
    ["the code is 5.1.1", true],
    ["the code is 4.2.5", false],
    ["450 4.2.0, formerly", false],
    ["450 now, and 5.1.1 then", true],
    ["nothing", false],
  ])("is a refusal for ever in %j: %s", (text, isRefusal) => expect(quotesRefusal(text)).toBe(isRefusal));

  it.each([
    ["421 bye", "4.3.2"],
    ["452 later", "4.3.1"],
    ["535 sorry", "5.7.8"],
    ["556 sorry", "5.1.10"],
    ["447 sorry", "4.0.0"],
    ["554 5.0.0 sorry", "5.0.0"],
    ["450 5.0.0 sorry", "5.0.0"],
    ["450 5.0.0 user unknown", "5.1.1"],
    ["the 4.0.0 user unknown", "4.1.1"],
    ["delivery time expired", "4.4.7"],
    ["nothing that tells", null],
  ])("gives a status if nothing else does: %j", (text, status) => expect(statusFrom(text)).toBe(status));
});

describe("a Status field", () => {
  it.each([
    ["status 5.1.1", "5.1.1"],
    ["3.1.1", "3.1.1"],
    ["5.001.01", "5.1.1"],
    ["(550)", "5.0.0"],
    ["5500", null],
    ["600", null],
  ])("is read from %j", (field, status) => expect(statusOf(field)).toBe(status));

  it("is read from its first 200 characters", () => {
    expect(statusOf(`${" ".repeat(195)}5.1.1`)).toBe("5.1.1");
    expect(statusOf(`${" ".repeat(196)}5.1.12`)).toBe("5.1.0");
  });
});

describe("the status by words", () => {
  const EXPIRED = "delivery time expired";

  it("is not that of an expired message while the message waits", () => {
    expect(statusByWords(EXPIRED)).toBe("4.4.7");
    expect(statusByWords(EXPIRED, true)).toBeNull();
    expect(statusFrom(EXPIRED, true)).toBeNull();
    expect(statusByWords("mailbox is full", true)).toBe("5.2.2");
  });

  it("is looked for in the first 4000 characters", () => {
    expect(statusByWords(`${"x ".repeat(1_990)}mailbox is full`)).toBe("5.2.2");
    expect(statusByWords(`${"x ".repeat(2_000)}mailbox is full`)).toBeNull();
    expect(statusByWords(`mailbox is full${" x".repeat(3_000)}`)).toBe("5.2.2");
    expect(causeInWords(`mailbox is full${" x".repeat(3_000)}`)).toBe("5.2.2");
    expect(causeInWords(`${"x ".repeat(2_000)}mailbox is full`)).toBeNull();
  });

  it("is null for words that name no cause", () => expect(causeInWords("Hello Bob, how are you?")).toBeNull());
});
