import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replyCodeIn } from "../../src/bounces/enhanced-status.ts";
import { failedRecipients } from "../../src/bounces/failed-recipients.ts";
import { headerStart } from "../../src/bounces/header-block.ts";
import { findAddresses } from "../../src/bounces/mail-address.ts";

const word = (letters: string, maxLength: number) =>
  fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength }).map((all) => all.join(""));

describe("addresses in text", () => {
  const ascii = word("abcxyz019", 20);
  const accented = word("éüñаб", 6);
  const local = fc.oneof(
    ascii,
    fc.tuple(ascii, ascii).map((all) => all.join(".")),
    fc.tuple(accented, ascii).map((all) => all.join("")),
    accented,
    word("日本語", 6),
  );
  const domain = fc
    .tuple(word("abcxyz", 12), fc.constantFrom("example", "co.example", "test"))
    .map((all) => all.join("."));
  const address = fc.tuple(local, domain).map((all) => all.join("@"));

  it("are found whole, each at its place", () => {
    fc.assert(
      fc.property(fc.array(address, { maxLength: 6 }), fc.constantFrom(" ", ", ", "> <", ":\n"), (all, between) => {
        const text = `<${all.join(between)}>`;
        const found = findAddresses(text);
        expect(found.map((one) => one.address)).toEqual(all);
        for (const one of found) expect(text.slice(one.start, one.end)).toBe(one.address);
      }),
    );
  });

  it("begin where Chinese or Japanese text ends", () => {
    fc.assert(
      fc.property(word("宛先無効", 6), ascii, domain, (before, name, host) => {
        expect(findAddresses(`${before}${name}@${host}`).map((one) => one.address)).toEqual([`${name}@${host}`]);
      }),
    );
  });

  it("have a local part of at most 128 characters", () => {
    const longest = "a".repeat(128);
    expect(findAddresses(`${longest}@b.example`)[0]!.address).toBe(`${longest}@b.example`);
    expect(findAddresses(`a${longest}@b.example`)[0]!.start).toBe(1);
  });

  it("are at most as many as asked for", () => {
    fc.assert(
      fc.property(fc.array(address, { maxLength: 8 }), fc.integer({ min: 1, max: 8 }), (all, limit) => {
        expect(findAddresses(all.join(" "), limit).map((one) => one.address)).toEqual(all.slice(0, limit));
      }),
    );
  });
});

describe("the beginning of a returned header", () => {
  const fields = ["Received: from a.example", "From: alice@a.example", "Subject: Lunch"];
  const folded = fc.array(fc.constantFrom("\tby b.example", "  with ESMTP"), { maxLength: 3 });
  const prose = fc.array(fc.constantFrom("Your message was refused.", "", "The server said no"), { maxLength: 5 });

  it("is its first field, with or without folded lines", () => {
    fc.assert(
      fc.property(prose, fc.tuple(folded, folded), (before, [first, second]) => {
        const lines = [...before, fields[0]!, ...first, fields[1]!, ...second, fields[2]!];
        expect(headerStart(lines)).toBe(before.length);
      }),
    );
  });

  it("is not found among fields that other lines separate", () => {
    fc.assert(
      fc.property(fc.constantFrom("and so on", "--", ""), fc.integer({ min: 1, max: 2 }), (line, at) => {
        expect(headerStart(fields.toSpliced(at, 0, line))).toBe(-1);
      }),
    );
  });

  it("needs three fields, one of them of headers only", () => {
    expect(headerStart(fields.slice(0, 2))).toBe(-1);
    expect(headerStart(["From: alice@a.example", "To: bob@b.example", "Subject: Lunch"])).toBe(-1);
  });
});

describe("reply codes in text", () => {
  it.each([
    421, 422, 431, 432, 441, 442, 446, 447, 449, 450, 451, 452, 454, 455, 471, 501, 505, 510, 511, 512, 515, 517, 522,
    523, 524, 525, 530, 533, 534, 535, 540, 541, 542, 543, 545, 546, 547, 550, 551, 552, 553, 554, 555, 556, 571,
  ])("include %i, which mail servers send", (code) => {
    expect(replyCodeIn(`the server said: ${code} refused`)).toBe(code);
  });

  it("exclude numbers that no mail server sends", () => {
    for (const code of [400, 410, 448, 456, 509, 513, 514, 526, 544, 548, 549, 557])
      expect([code, replyCodeIn(`the server said: ${code} refused`)]).toEqual([code, null]);
  });
});

describe("the reason of a failed recipient", () => {
  const context = { family: null, declared: [], returnedTo: [], excluded: new Set<string>() };

  it("ends where the next recipient begins", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }), (first, second) => {
        const reason = (code: number, lines: number) =>
          Array.from({ length: lines }, (_, n) => `    ${code} 5.${code - 549}.${n + 1} refused`);
        const notice = ["<bob@b.example>:", ...reason(550, first), "<carol@c.example>:", ...reason(551, second)];
        expect(failedRecipients({ ...context, notice })).toEqual([
          { address: "bob@b.example", detail: [":", ...reason(550, first)].join("\n").replace(/^:/, "<>:") },
          { address: "carol@c.example", detail: ["<>:", ...reason(551, second)].join("\n") },
        ]);
      }),
    );
  });
});
