import { accountIdOf } from "../src/shared/index.ts";
import { Option } from "effect";
import { describe, expect, it } from "vitest";

const idOf = (address: string) => Option.getOrNull(accountIdOf(address));

describe("accountIdOf", () => {
  it.each([
    ["u1@example.test", "u1@example.test"],
    ["Demo@Postern.TEST", "demo@postern.test"],
    ["a@Bücher.example", "a@xn--bcher-kva.example"],
    ["a@xn--bcher-kva.example", "a@xn--bcher-kva.example"],
    ["first.last+tag@例え.jp", "first.last+tag@xn--r8jz45g.jp"],
    ["me@localhost", "me@localhost"],
  ])("maps %s to %s [S3.1-1]", (address, id) => expect(idOf(address)).toBe(id));

  it.each([
    "",
    "x",
    "@",
    "a@",
    "@b.c",
    "a b@c.d",
    "a@b c.d",
    "a@b@c.d",
    "a@b/c",
    "a@b:80",
    "a@[127.0.0.1]",
    "a@127.0.0.1",
    "a@0x7f.1",
    "a@b..c",
    "a@-b.c",
    "a\r\nb@c.d",
    "a\0@b.c",
    "<a@b.c>",
    "a@b.c?x",
    "a@b.c#x",
    "\ud800@b.c",
    `${"x".repeat(65)}@b.c`,
  ])("refuses %j", (address) => expect(idOf(address)).toBeNull());
});
