import { describe, expect, it } from "vitest";
import { costGrowth } from "@postern/testkit";
import type { ImapFlow } from "imapflow";
import { SearchAnswer } from "../src/visiting/SearchAnswer.ts";
import { searchLine } from "../src/visiting/search-line.ts";

const client = (...capabilities: ReadonlyArray<string>) =>
  ({ capabilities: new Map(capabilities.map((name) => [name, true])), enabled: new Set() }) as unknown as ImapFlow;

describe("a search as a line", () => {
  it("quotes words, and asks for ranges where the server has ESEARCH", () => {
    expect(searchLine(client(), { subject: 'a "b" c' })).toBe('UID SEARCH SUBJECT "a \\"b\\" c"');
    expect(searchLine(client("ESEARCH"), {})).toBe("UID SEARCH RETURN (ALL) ALL");
  });

  it("sends other characters as a literal, if the server accepts non-synchronizing literals", () => {
    const grüße = Buffer.from("Grüße ").toString("latin1");
    expect(searchLine(client(), { subject: "Grüße " })).toBeUndefined();
    for (const capability of ["LITERAL+", "LITERAL-"]) {
      expect(searchLine(client(capability), { subject: "Grüße " })).toBe(
        `UID SEARCH CHARSET UTF-8 SUBJECT {8+}\r\n${grüße}`,
      );
    }
  });
});

describe("the answer to a search", () => {
  const read = (isNamed: boolean, exists: number, ...lines: ReadonlyArray<string>) => {
    const answer = new SearchAnswer(isNamed);
    for (const line of lines) answer.take(Buffer.from(line), exists);
    return answer.uids();
  };

  it.each([
    [["* SEARCH 3 1 2"], [1, 2, 3]],
    [["* SEARCH"], []],
    [["* SEARCH 5 (MODSEQ 12)"], [5]],
    [
      ["* SEARCH 1 2", "* 4 EXISTS", "* SEARCH 2 9"],
      [1, 2, 9],
    ],
  ])("%j is %j", (lines, uids) => expect(read(false, 10, ...lines)).toEqual(uids));

  it.each([
    ['* ESEARCH (TAG "N1-1") UID ALL 2:4,9', [2, 3, 4, 9]],
    ['* ESEARCH (TAG "N1-1") UID ALL 4:2', [2, 3, 4]],
    ['* ESEARCH (TAG "N1-1") UID', []],
    ['* ESEARCH (TAG "N1-1") UID COUNT 1 ALL 7 MODSEQ 4', [7]],
  ])("%s is %j", (line, uids) => expect(read(true, 10, line)).toEqual(uids));

  it.each([
    "* SEARCH 1 2",
    '* ESEARCH (TAG "N1-1") ALL 1:2',
    '* ESEARCH (TAG "N1-1") UID ALL 1:4294967295',
    '* ESEARCH (TAG "N1-1") UID ALL 1:6,1:6',
    '* ESEARCH (TAG "N1-1") UID ALL 0:3',
    '* ESEARCH (TAG "N1-1") UID ALL 1:*',
    `* ESEARCH (TAG "N1-1") UID ALL ${"9".repeat(400)}`,
    '* ESEARCH (TAG "N1-1") UID ALL 9007199254740993',
    "* ESEARCH UID ALL 1",
    "* 3 EXISTS",
  ])("%s is none where the search must be named and 10 messages exist", (line) =>
    expect(read(true, 10, line)).toBeUndefined(),
  );

  it.each([" COUNT 1", " ALL 1", " 1", ",1"])(
    "takes time linear in the length of an answer with %j [S10.4-8]",
    async (part) => {
      for (const head of ["* SEARCH", '* ESEARCH (TAG "N1-1") UID ALL 1']) {
        const growth = await costGrowth(32_768, (size) => {
          const line = `${head}${part.repeat(size / part.length)} x`;
          return () => read(false, 10, line);
        });
        expect(growth).toBeLessThan(4);
      }
    },
  );

  it("is ignored if it is too long to be read at once", () => {
    expect(read(false, 10, `* SEARCH${" 1".repeat(40_000)}`)).toBeUndefined();
  });
});
