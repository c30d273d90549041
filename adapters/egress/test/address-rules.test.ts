import { assert, describe, it } from "@effect/vitest";
import { readEndpointUrl } from "@postern/core/webhooks";
import { Result } from "effect";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { ALLOWED_IPV6, networksOf, reachOf, REFUSED_IPV4, REFUSED_IPV6 } from "../src/address-rules.ts";

/** The rules implemented again with numbers, as an oracle. */
const numberOf = (address: string): bigint =>
  ipaddr
    .parse(address)
    .toByteArray()
    .reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

const boundsOf = (cidr: string): readonly [first: bigint, last: bigint] => {
  const [address = "", bits = ""] = cidr.split("/");
  const host = BigInt((address.includes(":") ? 128 : 32) - Number(bits));
  const first = (numberOf(address) >> host) << host;
  return [first, first + (1n << host) - 1n];
};

const textOf = (number: bigint, bytes: 4 | 16): string =>
  ipaddr
    .fromByteArray(Array.from({ length: bytes }, (_, n) => Number((number >> BigInt(8 * (bytes - 1 - n))) & 255n)))
    .toString();

const inAny = (number: bigint, cidrs: ReadonlyArray<string>): boolean =>
  cidrs.some((cidr) => {
    const [first, last] = boundsOf(cidr);
    return first <= number && number <= last;
  });

const v4 = (number: bigint) => textOf(number, 4);
const v6 = (number: bigint) => textOf(number, 16);
const v4Expected = (number: bigint) => (inAny(number, REFUSED_IPV4) ? "blocked" : "public");
const v6Expected = (number: bigint) =>
  inAny(number, [ALLOWED_IPV6]) && !inAny(number, REFUSED_IPV6) ? "public" : "blocked";

const NAT64_PREFIX = 0x64ff9bn << 96n;

describe("the egress guard's addresses", () => {
  it.each(REFUSED_IPV4)("blocks %s from its first to its last address, and not its neighbours", (cidr) => {
    const [first, last] = boundsOf(cidr);
    assert.strictEqual(reachOf(v4(first), []), "blocked");
    assert.strictEqual(reachOf(v4(last), []), "blocked");
    for (const neighbour of [first - 1n, last + 1n]) {
      if (neighbour < 0n || neighbour > 0xffffffffn) continue;
      assert.strictEqual(reachOf(v4(neighbour), []), v4Expected(neighbour), v4(neighbour));
    }
    fc.assert(fc.property(fc.bigInt({ min: first, max: last }), (inside) => reachOf(v4(inside), []) === "blocked"));
  });

  it.each([
    ...REFUSED_IPV6,
    "fc00::/7",
    "fe80::/10",
    "ff00::/8",
    "::/128",
    "::1/128",
    "::ffff:0:0/96",
    "64:ff9b:1::/48",
  ])("blocks %s from its first to its last address", (cidr) => {
    const [first, last] = boundsOf(cidr);
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(first, last), fc.bigInt({ min: first, max: last })), (inside) => {
        assert.strictEqual(reachOf(v6(inside), []), "blocked", v6(inside));
      }),
    );
  });

  it.each([ALLOWED_IPV6, ...REFUSED_IPV6])("classifies the neighbours of %s by their own rules", (cidr) => {
    const [first, last] = boundsOf(cidr);
    for (const address of [first - 1n, first, last, last + 1n]) {
      assert.strictEqual(reachOf(v6(address), []), v6Expected(address), v6(address));
    }
  });

  it("treats addresses just outside blocked networks as public", () => {
    assert.deepStrictEqual(
      [
        "9.255.255.255",
        "11.0.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "223.255.255.255",
      ].map((address) => reachOf(address, [])),
      Array.from({ length: 7 }, () => "public"),
    );
    assert.deepStrictEqual(
      [
        "2001:200::",
        "2001:db7:ffff:ffff::",
        "2001:db9::",
        "2003::",
        "2001:4860:4860::8888",
        "3ffe:ffff::",
        "3fff:1000::",
      ].map((address) => reachOf(address, [])),
      Array.from({ length: 7 }, () => "public"),
    );
  });

  it("classifies random addresses like the oracle", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 32n) - 1n }), (number) => {
        assert.strictEqual(reachOf(v4(number), []), v4Expected(number));
        assert.strictEqual(reachOf(v6(NAT64_PREFIX | number), []), v4Expected(number), "through NAT64");
        assert.strictEqual(reachOf(`::ffff:${v4(number)}`, []), "blocked", "mapped");
        assert.strictEqual(reachOf(v6(number), []), "blocked", "compatible");
        assert.strictEqual(reachOf(v6((0x2002n << 112n) | (number << 80n)), []), "blocked", "6to4");
      }),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), (number) => {
        assert.strictEqual(reachOf(v6(number), []), v6Expected(number), v6(number));
      }),
      { numRuns: 2000 },
    );
  });

  it("blocks everything but an address in standard notation", () => {
    for (const text of [
      "",
      "localhost",
      "127.1",
      "0x7f.0.0.1",
      "2130706433",
      "0177.0.0.1",
      "1.1.1.1%eth0",
      "fe80::1%1",
      "2606:4700::1%1",
      "[::1]",
      "8.8.8.8 ",
      "8.8.8.8/32",
    ]) {
      assert.strictEqual(reachOf(text, []), "blocked", text);
    }
  });
});

describe("unusual notations of private addresses in a URL", () => {
  const SPELLINGS = `
    2130706433 0x7f.1 0x7f000001 0177.0.0.1 017700000001 127.1 127.0.1 ①②⑦.0.0.1
    127。0。0。1 127.0.0.1. %31%32%37.0.0.1 0 0.0.0.0 ①⑥⑨.②⑤④.1.1 0xa9fea9fe 3232235777
    [::] [::1] [::7f00:1] [0:0:0:0:0:ffff:7f00:1] [::ffff:127.0.0.1] [::ffff:10.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe]
    [2002:7f00:1::] [2002:a00:1::1] [fe80::1] [fd00::1]`
    .trim()
    .split(/\s+/);
  it.each(SPELLINGS)("%s is blocked", (spelling) => {
    const { host, isAddress } = Result.getOrThrow(readEndpointUrl(`https://${spelling}/`));
    assert.isTrue(isAddress);
    assert.strictEqual(reachOf(host, []), "blocked");
  });

  it.each([
    "localhost",
    "localhost.",
    "LOCALHOST",
    "ｌｏｃａｌｈｏｓｔ",
    "a.localhost",
    "metadata.google.internal",
    "nas.local",
  ])("%s is refused as the host of a webhook", (name) => {
    assert.deepStrictEqual(readEndpointUrl(`https://${name}/`), Result.fail("name"));
  });
});

describe("networks the operator allows", () => {
  it("exempts their addresses and no others", () => {
    const allowed = networksOf(["10.1.0.0/16", "fd00:1::/32"]);
    assert.strictEqual(reachOf("10.1.255.255", allowed), "allowed");
    assert.strictEqual(reachOf("10.2.0.0", allowed), "blocked");
    assert.strictEqual(reachOf("fd00:1:ffff::1", allowed), "allowed");
    assert.strictEqual(reachOf("fd00:2::", allowed), "blocked");
    assert.strictEqual(reachOf("64:ff9b::a01:1", allowed), "allowed");
    assert.strictEqual(reachOf("::ffff:10.1.0.1", allowed), "blocked");
    assert.strictEqual(reachOf("8.8.8.8", allowed), "public");
  });

  it.each([
    "10.0.0.0",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10/8",
    "0x0a.0.0.0/8",
    "fd00::/129",
    "fd00::/",
    "",
    "host/8",
    "10.0.0.0/8/8",
  ])("refuses %j and explains the notation", (cidr) => {
    assert.throws(() => networksOf([cidr]), /write it as 10\.0\.0\.0\/8/);
  });
});
