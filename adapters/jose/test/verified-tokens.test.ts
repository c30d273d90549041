import { assert, describe, it } from "@effect/vitest";
import { makeVerifiedTokens } from "../src/layer.ts";
import { CLAIMS } from "./signing.ts";

describe("verified tokens", () => {
  const claims = (tokenId: string) => ({ ...CLAIMS, tokenId });

  it("are found only for the use they were verified for", () => {
    const verified = makeVerifiedTokens(10);
    verified.remember("access", "token", CLAIMS);
    assert.strictEqual(verified.find("access", "token"), CLAIMS);
    assert.isUndefined(verified.find("refresh", "token"));
    assert.isUndefined(verified.find("access", "other"));
  });

  it("are dropped oldest first at the capacity", () => {
    const verified = makeVerifiedTokens(3);
    for (const token of ["a", "b", "c", "d", "e"]) verified.remember("access", token, claims(token));
    assert.deepStrictEqual(
      ["a", "b", "c", "d", "e"].map((token) => verified.find("access", token)?.tokenId),
      [undefined, undefined, "c", "d", "e"],
    );
  });

  it("can be removed", () => {
    const verified = makeVerifiedTokens(3);
    verified.remember("access", "token", CLAIMS);
    verified.forget("token");
    assert.isUndefined(verified.find("access", "token"));
  });
});
