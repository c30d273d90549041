import { parseMailboxes } from "../src/send/neighbours.ts";
import { Result } from "effect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const read = (text: string) => Result.getOrElse(parseMailboxes(text), (message) => message);
const refused = (text: string) => expect(Result.isFailure(parseMailboxes(text)), text).toBe(true);

describe("parseMailboxes", () => {
  it.each([
    ["a@b.c", [["", "a@b.c"]]],
    [
      " a@b.c , d@e.f ",
      [
        ["", "a@b.c"],
        ["", "d@e.f"],
      ],
    ],
    ["Jane <jane@d.e>", [["Jane", "jane@d.e"]]],
    [
      '"Roe, Jane" <jane@d.e>, x@y.z',
      [
        ["Roe, Jane", "jane@d.e"],
        ["", "x@y.z"],
      ],
    ],
    ['"a \\"b\\" \\\\ c" <q@d.e>', [['a "b" \\ c', "q@d.e"]]],
    ["J. R. Roe <jr@d.e>", [["J. R. Roe", "jr@d.e"]]],
    ["Jürgen 日本 <j@d.e>", [["Jürgen 日本", "j@d.e"]]],
    ["<a@b.c>", [["", "a@b.c"]]],
    ["A.B+tag@EXAMPLE.org", [["", "A.B+tag@example.org"]]],
    ["post@bücher.example", [["", "post@xn--bcher-kva.example"]]],
    ["用户@例え.jp", [["", "用户@xn--r8jz45g.jp"]]],
    ['"john doe"@b.c', [["", '"john doe"@b.c']]],
    [
      '"a,b"@b.c, d@e.f',
      [
        ["", '"a,b"@b.c'],
        ["", "d@e.f"],
      ],
    ],
    ['"a@b"@b.c', [["", '"a@b"@b.c']]],
    ['"needless"@b.c', [["", "needless@b.c"]]],
  ])("parses %j", (text, expected) => {
    expect(read(text)).toEqual(expected.map(([name, address]) => ({ name, address })));
  });

  it.each([
    "",
    ",",
    "a@b.c,",
    "a@b.c,,d@e.f",
    "nonsense",
    "@b.c",
    "a@",
    "a@b c.d",
    "a b@c.d",
    "a..b@c.d",
    ".a@c.d",
    "a@-b.c",
    "a@b..c",
    "a@[127.0.0.1]",
    "a@127.0.0.1",
    "a@b.c\r\nRCPT TO:<evil@x>",
    "a@b.c\n",
    "a\0@b.c",
    "a\u200b@b.c",
    "a\u00a0b@c.d",
    "a\u2028@b.c",
    "\ud800@b.c",
    "Friends: a@b.c, d@e.f;",
    "undisclosed-recipients:;",
    "a@b.c (comment)",
    `${"(".repeat(10_000)}a@b.c${")".repeat(10_000)}`,
    "<a@b.c",
    "a@b.c>",
    "<<a@b.c>>",
    "x <a@b.c> y",
    "<@relay:a@b.c>",
    "<>",
    'Jane "Roe <a@b.c>',
    "Roe @ Home <a@b.c>",
    '"a<b"@b.c',
    `${"x".repeat(65)}@b.c`,
    `${"ü".repeat(33)}@b.c`,
    `a@${"b.".repeat(160)}c`,
    `${"n".repeat(321)} <a@b.c>`,
  ])("refuses %j", refused);

  const atom = fc.stringMatching(/^[a-z0-9!#$%&'*+/=?^_`{|}~-]{1,12}$/);
  const label = fc.stringMatching(/^[a-z]([a-z0-9]{0,8})$/);
  const address = fc
    .tuple(fc.array(atom, { minLength: 1, maxLength: 3 }), fc.array(label, { minLength: 1, maxLength: 3 }))
    .map(([local, domain]) => `${local.join(".")}@${domain.join(".")}`);
  const name = fc
    .string({ unit: "grapheme", maxLength: 20 })
    .filter((text) => !/[\p{C}\p{Zl}\p{Zp}]/u.test(text))
    .map((text) => text.replaceAll(/\s+/gu, " ").trim());

  it("parses what was written with names in quotes", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ name, address }), { minLength: 1, maxLength: 8 }), (mailboxes) => {
        const text = mailboxes.map(({ name, address }) =>
          name === "" ? address : `"${name.replaceAll(/["\\]/g, "\\$&")}" <${address}>`,
        );
        expect(read(text.join(", "))).toEqual(mailboxes);
      }),
    );
  });

  it("returns no text that could end a line, an angle bracket or an address", () => {
    const nasty = fc.string({ unit: fc.constantFrom(...'ab@.<>"\\,:;()[] \r\n\0\u0085\u2028ü'), maxLength: 40 });
    fc.assert(
      fc.property(nasty, (text) => {
        const result = parseMailboxes(text);
        if (Result.isFailure(result)) return;
        for (const { name, address } of result.success) {
          expect(address).not.toMatch(/[<>\p{Cc}\u2028\u2029]/u);
          expect(name).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
          expect(address.slice(address.lastIndexOf("@") + 1)).toMatch(/^[a-z0-9.-]+$/);
          expect(read(address)).toEqual([{ name: "", address }]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes time linear in the text", () => {
    for (const bomb of ['"'.repeat(200_001), "\\".repeat(200_000), '"\\'.repeat(100_000), "<".repeat(200_000)]) {
      refused(bomb);
      refused(`${bomb} <a@b.c>`);
    }
    expect(read(`${"a@b.c,".repeat(50_000)}a@b.c`)).toHaveLength(50_001);
  });
});
