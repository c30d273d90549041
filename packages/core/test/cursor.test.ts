import fc from "fast-check";
import { Option } from "effect";
import * as Base64Url from "effect/encoding/Base64Url";
import { describe, expect, it } from "vitest";
import { decodeCursor, encodeCursor } from "../src/messages/page.ts";

const number32 = fc.integer({ min: 1, max: 0xffff_ffff });
const cursorOf = (given: { folderId: string; uidValidity: number; uid: number; position: number }) => ({
  ...given,
  key: given.folderId,
});
const cursor = fc
  .record({
    folderId: fc.string({ minLength: 1, unit: "binary" }).filter((id) => id.isWellFormed()),
    uidValidity: number32,
    uid: number32,
    position: number32,
  })
  .map(cursorOf);

describe("cursor", () => {
  it("decodes what it encoded, without characters that need escaping in a query", () => {
    fc.assert(
      fc.property(cursor, (given) => {
        const text = encodeCursor(given);
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(Option.getOrNull(decodeCursor(text))).toEqual(given);
      }),
    );
  });

  it("keeps the key of its mailbox although the id of the folder is another one", () => {
    const given = { folderId: "trash", key: "f_1", uidValidity: 7, uid: 3, position: 2 };
    expect(Option.getOrNull(decodeCursor(encodeCursor(given)))).toEqual(given);
  });

  it("decodes no other text", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = decodeCursor(text);
        if (Option.isSome(read)) expect(decodeCursor(encodeCursor(read.value))).toEqual(read);
      }),
    );
    const plain = (text: string) => decodeCursor(Base64Url.encode(text));
    for (const text of [
      "",
      "1.4294967296.1.1.inbox",
      "1.1.0.1.inbox",
      "1.1.1.0.inbox",
      "2.1.1.1.inbox",
      "2.1.1.1.inbox ",
      "2.1.1.1. f_1",
      "1.1.1.1.",
      "1.1.-1.1.x",
      "1.1e3.1.1.x",
    ]) {
      expect(plain(text), text).toEqual(Option.none());
    }
    expect(Option.isSome(plain("1.1.1.1.inbox"))).toBe(true);
  });
});
