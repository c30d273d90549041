import { Result } from "effect";
import { describe, expect, it } from "vitest";
import { parseMailbox, parseMailboxes, utf8Length } from "../../src/send/addresses.ts";
import { checkSize, encodedSize } from "../../src/send/accept-message.ts";
import { fileName } from "../../src/send/uploads/file-name.ts";
import { spend, spendByKey, UNUSED_QUOTA } from "../../src/send/send-quota.ts";

describe("a file name", () => {
  it.each([
    ["report.pdf", "report.pdf"],
    [" report.pdf ", "report.pdf"],
    ["/home/ann/report.pdf", "report.pdf"],
    ["C:\\files\\report.pdf", "report.pdf"],
    ["/a\\b", "b"],
    ["\\a/b", "b"],
    ["a%22b%0d%0Ac", 'a"bc'],
    ["a\r\nb\u0000", "ab"],
    ["", "file"],
    [".", "file"],
    ["..", "file"],
    ["a/", "file"],
    ["...", "..."],
    ["x".repeat(255), "x".repeat(255)],
    ["x".repeat(256), "x".repeat(255)],
    [`${"x".repeat(300)}.pdf`, `${"x".repeat(251)}.pdf`],
    [`${"x".repeat(300)}.${"y".repeat(19)}`, `${"x".repeat(235)}.${"y".repeat(19)}`],
    [`${"x".repeat(300)}.${"y".repeat(20)}`, "x".repeat(255)],
    [`.${"x".repeat(300)}`, `.${"x".repeat(254)}`],
    [`${"x".repeat(254)}😀`, "x".repeat(254)],
    [`${"x".repeat(253)}😀y`, `${"x".repeat(253)}😀`],
  ])("of %j is %j", (given, safe) => expect(fileName(given)).toBe(safe));
});

describe("the size of a message on the wire", () => {
  it("counts a text by its octets in UTF-8", () => {
    expect(["\u007f", "\u0080", "\u07ff", "\u0800", "\uffff", "\u{10000}", "\ud800", ""].map(utf8Length)).toEqual([
      1, 2, 2, 3, 3, 4, 3, 0,
    ]);
    expect(utf8Length("aä€😀")).toBe(10);
  });

  it("is three times its texts and headers, with 1 KiB for each part and 4 for the message", () => {
    expect(encodedSize([], "", [])).toBe(4_096);
    expect(encodedSize(["ab", "c"], "d", [])).toBe(4_096 + 2 * 1_024 + 9 + 3);
  });

  it("is base64 in lines of 76 for a file", () => {
    const size = (bytes: number) => encodedSize([], "", [{ size: bytes }]) - 4_096 - 1_024;
    expect([0, 1, 3, 4, 57, 58, 114].map(size)).toEqual([0, 6, 6, 10, 78, 84, 156]);
  });

  it("is 35 MiB at most [S6.1-1]", () => {
    expect(Result.isSuccess(checkSize(35 * 1024 * 1024))).toBe(true);
    expect(Result.isFailure(checkSize(35 * 1024 * 1024 + 1))).toBe(true);
  });
});

describe("the address of a recipient", () => {
  const read = (text: string) =>
    Result.match(parseMailboxes(text), {
      onFailure: (message) => message,
      onSuccess: (list) => list.map(({ name, address }) => `${name}|${address}`),
    });

  it.each<[string, string | ReadonlyArray<string>]>([
    ["a@x.test", ["|a@x.test"]],
    [" a@x.test , B <b@x.test>", ["|a@x.test", "B|b@x.test"]],
    ['"Roe, Jane" <j@x.test>,k@x.test', ["Roe, Jane|j@x.test", "|k@x.test"]],
    ['"a\\"b, c" <j@x.test>', ['a"b, c|j@x.test']],
    ["J.  Roe <j@x.test>", ["J. Roe|j@x.test"]],
    ["B <b,c@x.test>", "must be an e-mail address"],
    ["a@x.test (Ann)", "must have no comments"],
    ["a)@x.test", "must have no comments"],
    ["list: a@x.test", "must have no groups"],
    ["a@x.test;", "must have no groups"],
    ["A <<a@x.test>", "must have its angle brackets in pairs"],
    ["A a@x.test>", "must have its angle brackets in pairs"],
    ["A <a@x.test", "must close its quotes and angle brackets"],
    ['"A <a@x.test>', "must close its quotes and angle brackets"],
    ["A [b] <a@x.test>", "must have special characters of a name in quotes"],
    ["a\u200b@x.test", "must have no control or invisible characters"],
    ["a@x.test,,b@x.test", "must be an e-mail address"],
    ["a", "must be an e-mail address"],
    ["@x.test", "must be an e-mail address"],
    ["a@", "must be an e-mail address"],
    ["a b@x.test", "must be an e-mail address"],
    [".a@x.test", "must be an e-mail address"],
    ["a\u00a0b@x.test", "must be an e-mail address"],
    ['"a b"@x.test', ['|"a b"@x.test']],
    ['"ab"@x.test', ["|ab@x.test"]],
    ['"a\\\\b"@x.test', ['|"a\\\\b"@x.test']],
    ['"a@b"@x.test', ['|"a@b"@x.test']],
    ["u\u0308@x.test", ["|ü@x.test"]],
  ])("is read from %j", (text, expected) => expect(read(text)).toEqual(expected));

  it("has 64 octets before the sign, 320 characters and a name of 320 at most", () => {
    const isRead = (text: string) => Array.isArray(read(text));
    expect([isRead(`${"a".repeat(64)}@x.test`), isRead(`${"a".repeat(65)}@x.test`)]).toEqual([true, false]);
    expect([isRead(`${"ä".repeat(32)}@x.test`), isRead(`${"ä".repeat(33)}@x.test`)]).toEqual([true, false]);
    expect(read(`${"a".repeat(64)}@${"d".repeat(256)}`)).toBe("must have at most 320 characters");
    expect(read(`${"a".repeat(64)}@${"d".repeat(255)}`)).toBe("must be an e-mail address");
    expect([isRead(`${"n".repeat(320)} <a@x.test>`), isRead(`${"n".repeat(321)} <a@x.test>`)]).toEqual([true, false]);
    expect(read(`"${"\\n".repeat(620)}" <a@x.test>`)).toContain("names of at most 320");
    expect(read(`"${"\\n".repeat(650)}" <a@x.test>`)).toBe("must have at most 320 characters");
  });

  it.each([
    [
      { name: " Ann  Roe ", address: " a@x.test " },
      { name: "Ann Roe", address: "a@x.test" },
    ],
    [{ address: "a@x.test" }, { name: "", address: "a@x.test" }],
    [
      { name: "a\u200cb", address: "a@x.test" },
      { name: "a\u200cb", address: "a@x.test" },
    ],
    [{ name: "a\u200bb", address: "a@x.test" }, null],
    [{ name: "a\nb", address: "a@x.test" }, null],
    [{ name: "a", address: "a\u200c@x.test" }, null],
    [{ name: "n".repeat(321), address: "a@x.test" }, null],
  ])("with a name of its own is read from %j", (given, expected) => {
    expect(Result.getOrElse(parseMailbox(given), () => null)).toEqual(expected);
  });
});

describe("the send quota", () => {
  it("names the window that is full, the day first [S6.6-11]", () => {
    const full = { minute: { startedAt: 100, used: 2 }, day: { startedAt: 50, used: 9 } };
    const refusal = (perMinute: number, perDay: number) =>
      Result.match(spend(full, { perMinute, perDay }, 1_000), {
        onFailure: ({ window, retryAfter }) => [window, retryAfter],
        onSuccess: ({ minute, day }) => [minute, day],
      });
    expect(refusal(2, 9)).toEqual(["day", 86_399_050]);
    expect(refusal(2, 10)).toEqual(["minute", 59_100]);
    expect(refusal(3, 10)).toEqual([
      { startedAt: 100, used: 3 },
      { startedAt: 50, used: 10 },
    ]);
  });

  it("begins a window with its first message", () => {
    expect(Result.getOrThrow(spend(UNUSED_QUOTA, { perMinute: 1, perDay: 1 }, 90_000_000))).toEqual({
      minute: { startedAt: 90_000_000, used: 1 },
      day: { startedAt: 90_000_000, used: 1 },
    });
  });

  it("of a key counts only per day", () => {
    const used = { minute: { startedAt: 0, used: 500 }, day: { startedAt: 0, used: 500 } };
    expect(Result.isSuccess(spendByKey(used, 501, 10))).toBe(true);
    expect(Result.getOrThrow(Result.flip(spendByKey(used, 500, 10)))).toMatchObject({
      _tag: "KeySendRateExceeded",
      retryAfter: 86_399_990,
      perDay: 500,
    });
  });
});
