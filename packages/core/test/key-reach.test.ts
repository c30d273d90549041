import { AccountId } from "../src/shared/index.ts";
import { containsReach } from "../src/auth/neighbours.ts";
import { entriesReaching, isReachPattern, type KeyReach, partsOfReach, reaches } from "../src/auth/index.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const account = (address: string, ...tags: ReadonlyArray<string>) => ({ address: AccountId(address), tags });

const ADDRESSES = ["a@one.test", "b@one.test", "a@two.test", "a@sub.one.test"];
const TAGS = ["x", "y"];

const entry = fc.constantFrom(...ADDRESSES, "*@one.test", "*@two.test", "*@sub.one.test", "tag:x", "tag:y");
const reach = fc.option(fc.uniqueArray(entry, { maxLength: 4 }));
const anyAccount = fc.record({
  address: fc.constantFrom(...ADDRESSES).map((address) => AccountId(address)),
  tags: fc.subarray(TAGS),
});

describe("the reach of a key", () => {
  it.each<[string, KeyReach | null, boolean]>([
    ["contains every account without a reach", null, true],
    ["contains no account with an empty reach", [], false],
    ["contains the account that it names", ["b@two.test", "a@one.test"], true],
    ["contains the accounts of a domain", ["*@one.test"], true],
    ["contains no accounts of a subdomain", ["*@sub.one.test"], false],
    ["contains no accounts of the domain above", ["*@test"], false],
    ["contains no accounts of a domain that ends alike", ["*@ne.test"], false],
    ["contains the accounts with a tag", ["tag:vip"], true],
    ["contains no accounts with another tag", ["tag:vi", "tag:vip2", "vip"], false],
  ])("%s", (_, of, expected) => {
    expect(reaches(of, account("a@one.test", "vip", "eu"))).toBe(expected);
  });

  it("is stored in parts: accounts, domains and tags", () => {
    expect(partsOfReach(["a@one.test", "*@one.test", "tag:x", "b@tag:", "*@two.test"])).toEqual({
      accounts: ["a@one.test", "b@tag:"],
      domains: ["one.test", "two.test"],
      tags: ["x"],
    });
  });

  it("recognises patterns by their beginnings", () => {
    expect(["*@one.test", "tag:x", "a@one.test", "x*@", "xtag:"].map(isReachPattern)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("that is not null contains an account exactly if it has one of the account's entries", () => {
    fc.assert(
      fc.property(reach, anyAccount, (of, one) => {
        const entries = entriesReaching(one);
        expect(entries).toContain("*");
        expect(of !== null && of.some((own) => entries.includes(own))).toBe(of !== null && reaches(of, one));
      }),
    );
  });

  it("contains a smaller one only if it contains all of its accounts", () => {
    fc.assert(
      fc.property(reach, reach, anyAccount, (outer, inner, one) => {
        fc.pre(containsReach(outer, inner));
        expect(reaches(inner, one) && !reaches(outer, one)).toBe(false);
      }),
    );
  });

  it.each<[KeyReach | null, KeyReach | null, boolean]>([
    [null, null, true],
    [null, ["tag:x"], true],
    [["*@one.test"], null, false],
    [["*@one.test"], [], true],
    [["*@one.test"], ["a@one.test", "b@one.test", "*@one.test"], true],
    [["*@one.test"], ["a@one.test", "a@two.test"], false],
    [["a@one.test", "b@one.test"], ["*@one.test"], false],
    [["tag:x", "*@one.test"], ["tag:x"], true],
    [["*@one.test"], ["tag:x"], false],
  ])("of %j contains %j: %j", (outer, inner, expected) => {
    expect(containsReach(outer, inner)).toBe(expected);
  });
});
