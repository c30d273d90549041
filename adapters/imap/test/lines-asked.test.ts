import { describe, expect, it } from "vitest";
import { answerBounds } from "../src/wire/lines-asked.ts";

describe("answerBounds", () => {
  it.each([
    ["A1 UID FETCH 1:50,60 (FLAGS)", 51],
    ["A1 FETCH 7 (FLAGS)", 1],
    ["A1 UID STORE 5:4 +FLAGS (\\Seen)", 2],
    ["A1 MOVE 1,2,3 Trash", 3],
    ['A1 STATUS "Box 1" (MESSAGES)', 1],
    ["A1 SELECT INBOX", 11],
    ["A1 IDLE", 0],
    ["A1 CAPABILITY", 0],
  ])("%s asks for %i lines and its tagged one", (line, lines) => {
    expect(answerBounds([line])).toMatchObject({ lines: lines + 1, ofEachMessage: false });
  });

  it.each(["A1 FETCH 1:* (FLAGS)", "A1 EXPUNGE", "A1 SELECT INBOX (QRESYNC (1 2))"])(
    "%s asks for a line of each message",
    (line) => expect(answerBounds([line]).ofEachMessage).toBe(true),
  );

  it("adds up the lines that the commands of one write request", () => {
    expect(answerBounds(["A1 SELECT INBOX", "N1-0 UID FETCH 1:20 (UID)", "N1-1 UID FETCH 30:* (UID)"])).toEqual({
      lines: 12 + 21 + 1,
      ofEachMessage: true,
      isLong: true,
    });
  });

  it("allows long lines only in answers about messages and searches", () => {
    expect(
      ['A1 LIST "" *', "A1 NOOP", "A1 UID SEARCH ALL", "A1 FETCH 1 (UID)"].map((line) => answerBounds([line]).isLong),
    ).toEqual([false, false, true, true]);
  });
});
