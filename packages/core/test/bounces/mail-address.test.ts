import { describe, expect, it } from "vitest";
import { decodeXtext, findAddresses, firstAddress, readTypedAddress } from "../../src/bounces/mail-address.ts";

describe("addresses in a text", () => {
  it.each([
    ["to <bob@x.test> now", ["bob@x.test"]],
    ["bob@x.test.", ["bob@x.test"]],
    ["bob@x.test-.-", ["bob@x.test"]],
    ["a@x.test b@x.test", ["a@x.test", "b@x.test"]],
    ["a@x.test,b@x.test", ["a@x.test", "b@x.test"]],
    ["user=bob+tag@sub.x.test", ["user=bob+tag@sub.x.test"]],
    ["'bob@x.test'", ["bob@x.test"]],
    ["=/`*|.bob@x.test", ["bob@x.test"]],
    ["=?utf-8?Q?j?=@x.test", ["=?utf-8?Q?j?=@x.test"]],
    ["jörg@x.test", ["jörg@x.test"]],
    ["борис@x.test", ["борис@x.test"]],
    ["δ@x.test", ["δ@x.test"]],
    ["ab δbob@x.test", ["bob@x.test"]],
    ["收件人bob@x.test失败", ["bob@x.test"]],
    ["收件人@例子.测试", ["收件人@例子.测试"]],
    ['"bob builder"@x.test', ['"bob builder"@x.test']],
    ['bob builder"@x.test', []],
    ['said ""@x.test', ['""@x.test']],
    ['""@x.test', ['""@x.test']],
    ['"@x.test', []],
    ['"a" or "b"@x.test', ['"b"@x.test']],
    ["日本bob@x.test", ["bob@x.test"]],
    ["bob@例子.测试 失败", ["bob@例子.测试"]],
    ["bob@x.test例子", ["bob@x.test"]],
    ["bob@x.例子", []],
    ["宛先:太郎@例子.jp", ["太郎@例子.jp"]],
    ["/=?utf-8?Q?j?=@x.test", ["=?utf-8?Q?j?=@x.test"]],
    ["-_bob@x.test", ["-_bob@x.test"]],
    ["bob@[]x", ["bob@[]"]],
    ["bob@localhosts", []],
    ["bob@x.test@", ["bob@x.test"]],
    ["bob@x-@y.test", ["x-@y.test"]],
    ["bob@[192.0.2.1] is", ["bob@[192.0.2.1]"]],
    ["bob@[192.0.2.1", []],
    ["bob@localhost", ["bob@localhost"]],
    ["bob@host", []],
    ["bob@x..test", []],
    ["@x.test", []],
    [".@x.test", []],
    ["bob@", []],
    ["bob@.-", []],
    ["bob@@x.test", []],
    ["a@b@x.test", ["b@x.test"]],
    ["nothing", []],
  ])("of %j are %j", (text, addresses) => {
    expect(findAddresses(text).map(({ address }) => address)).toEqual(addresses);
    expect(firstAddress(text)).toBe(addresses[0] ?? null);
  });

  it("have their places", () => {
    const text = "see bob@x.test, and ann@x.test";
    for (const { address, start, end } of findAddresses(text)) expect(text.slice(start, end)).toBe(address);
    expect(findAddresses(text).map(({ start }) => start)).toEqual([4, 20]);
  });

  it("are as many as asked for, 100 by default", () => {
    const many = "a@x.test ".repeat(150);
    expect(findAddresses(many)).toHaveLength(100);
    expect(findAddresses(many, 3)).toHaveLength(3);
  });

  it("are looked for at 1000 signs", () => {
    expect(findAddresses(`${"@ ".repeat(999)}bob@x.test`)).toHaveLength(1);
    expect(findAddresses(`${"@ ".repeat(1_000)}bob@x.test`)).toEqual([]);
  });

  it("have 128 characters at most before the sign, and 255 behind it", () => {
    const [{ address } = { address: "" }] = findAddresses(`${"a".repeat(200)}@${"b".repeat(100)}.${"c".repeat(300)}`);
    expect(address).toBe(`${"a".repeat(128)}@${"b".repeat(100)}.${"c".repeat(154)}`);
    expect(findAddresses(`"${"a".repeat(126)}"@x.test`)).toHaveLength(1);
    expect(findAddresses(`"${"a".repeat(127)}"@x.test`)).toEqual([]);
    expect(findAddresses(`a@[${"1".repeat(253)}]`)).toHaveLength(1);
    expect(findAddresses(`a@[${"1".repeat(254)}]`)).toEqual([]);
    const places = findAddresses(`see ${"a".repeat(200)}@x.test b@x.test`).map(({ start, end }) => [start, end]);
    expect(places).toEqual([
      [76, 211],
      [212, 220],
    ]);
  });
});

describe("xtext", () => {
  it.each([
    ["bob+40x.test", "bob@x.test"],
    ["j+C3+B6rg", "jörg"],
    ["+FF and +40", "+FF and @"],
    ["a+4b", "a+4b"],
    ["\\x{F6}\\x{1F600}", "ö😀"],
    ["\\x{10FFFF}", "\u{10FFFF}"],
    ["\\x{110000}", "\\x{110000}"],
  ])("is decoded from %j", (text, decoded) => expect(decodeXtext(text)).toBe(decoded));
});

describe("a typed address", () => {
  it.each([
    ["rfc822; bob@x.test", "bob@x.test"],
    ["rfc822;<bob@x.test> (Bob)", "bob@x.test"],
    ["bob@x.test", "bob@x.test"],
    ["SMTP:bob@x.test", "bob@x.test"],
    ["rfc822; bob+40x.test", "bob@x.test"],
    ["rfc822; bob+41@x.test", "bob+41@x.test"],
    ["utf-8; j\\x{F6}rg@x.test", "jörg@x.test"],
    ["rfc822; unknown", null],
    [" bob@x.test ; ", null],
    ["smtp; smtp:bob@x.test", "bob@x.test"],
    ["rfc822;rfc822;bob@x.test", "bob@x.test"],
    ["x;mailto: bob@x.test", "bob@x.test"],
    ["utf-8; bob+2B\\x{40}x.test", "bob+@x.test"],
    ["utf-8; b+6Fb@\\x{78}.test", "bob@x.test"],
    ["", null],
  ])("is read from %j", (field, address) => expect(readTypedAddress(field)).toBe(address));
});
