import { isSameHash, judgeWrongKey, keyGrantsJson } from "../src/auth/index.ts";
import { serviceKeyIdOf, serviceKeyText } from "../src/auth/KeyAuthentication.ts";
import { Option } from "effect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const NOW = 1_900_000_000_000;
const WINDOW = 15 * 60_000;
const times = (count: number, at: number) => Array.from({ length: count }, () => at);

describe("a wrong key", () => {
  it("counts until ten of its network were recorded within 15 minutes", () => {
    expect(judgeWrongKey(times(9, NOW - 1), NOW)).toEqual({ _tag: "Count" });
    expect(judgeWrongKey(times(10, NOW - 1), NOW)).toEqual({ _tag: "Throttle", retryAfter: WINDOW - 1 });
  });

  it("counts again once fewer than ten are within 15 minutes, to the millisecond", () => {
    const oldest = NOW - WINDOW + 1;
    const earlier = [...times(9, NOW - 1), oldest];
    expect(judgeWrongKey(earlier, NOW)).toEqual({ _tag: "Throttle", retryAfter: 1 });
    expect(judgeWrongKey(earlier, NOW + 1)).toEqual({ _tag: "Count" });
  });
});

describe("the text of a key", () => {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const random = (length: number) =>
    fc.string({ unit: fc.constantFrom(...letters), minLength: length, maxLength: length });

  it("contains its id", () => {
    fc.assert(
      fc.property(random(16), random(43), (id, secret) => {
        expect(serviceKeyIdOf(serviceKeyText(id, secret))).toBe(id);
      }),
    );
  });

  it.each(["", "psk_", "psk_a_b", `psk_none_${"a".repeat(43)}`, `psk_${"a".repeat(16)}_${"a".repeat(44)}`, "psk_\0"])(
    "has no id if it is %j",
    (text) => {
      expect(serviceKeyIdOf(text)).toBeUndefined();
    },
  );
});

describe("comparing hashes", () => {
  it("finds the same ones equal and no others", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(isSameHash(one, other)).toBe(one === other);
        expect(isSameHash(one, one)).toBe(true);
      }),
    );
  });
});

describe("the stored grants of a key", () => {
  it("are read without scopes that no longer exist", () => {
    const text = '{"scopes":["mail:read","gone"],"accounts":null,"networks":["10.0.0.0/8"]}';
    const read = { scopes: ["mail:read"], accounts: null, networks: ["10.0.0.0/8"] };
    expect(keyGrantsJson.read(text)).toEqual(Option.some(read));
  });

  it.each(["", "{}", '{"scopes":["mail:read"]}', '{"v":2,"scopes":[],"accounts":null,"networks":null}'])(
    "are not read from %j, because a missing limit would mean no limit",
    (text) => {
      expect(keyGrantsJson.read(text)).toEqual(Option.none());
    },
  );
});
