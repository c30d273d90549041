import { describe, expect, test } from "vitest";
import { splitAround } from "../src/mail/message/conversation.ts";
import type { Email } from "../src/mail/emails/emails.ts";
import { foldedText } from "../src/mail/message/folded-text.ts";
import { keyStep } from "../src/mail/list/key-step.ts";
import type { Message } from "../src/mail/emails/message.ts";
import {
  selectOnly,
  extendSelection,
  NOTHING,
  type Selection,
  toggleRow,
  without,
} from "../src/mail/actions/selection.ts";

const rows = ["a", "b", "c", "d", "e"].map((id) => ({ id }));
const idsOf = ({ chosen }: Selection): string => [...chosen.keys()].join("");

describe("a selection", () => {
  test("a range ends at the row to which it is extended, and keeps the earlier selection", () => {
    const one = toggleRow(toggleRow(NOTHING, rows[4]!), rows[1]!);
    const long = extendSelection(one, rows, 1, 3);
    expect(idsOf(long)).toBe("ebcd");
    expect(idsOf(extendSelection(long, rows, 3, 2))).toBe("ebc");
    expect(idsOf(extendSelection(long, rows, 3, 0))).toBe("eba");
  });

  test("a range without an anchor begins at the current row, and skips rows that were not read", () => {
    expect(idsOf(extendSelection(NOTHING, [rows[0], undefined, rows[2]], 0, 2))).toBe("ac");
  });

  test("messages that are gone are no longer selected, and no range begins at them", () => {
    const left = without(toggleRow(selectOnly(rows.slice(0, 2)), rows[2]!), new Set(["c", "a"]));
    expect(idsOf(left)).toBe("b");
    expect(idsOf(extendSelection(left, rows, 3, 4))).toBe("bde");
  });
});

test("keys move within the list, and not beyond its ends", () => {
  const step = (key: string, at: number) =>
    keyStep({ key, ctrlKey: false, metaKey: false, altKey: false }, at, 100, 10);
  expect([step("ArrowDown", 99), step("ArrowUp", 0), step("PageDown", 5), step("End", 5), step("Home", 5)]).toEqual([
    99, 0, 15, 99, 0,
  ]);
  expect(step("q", 5)).toBeNull();
  expect(keyStep({ key: "Home", ctrlKey: true, metaKey: false, altKey: false }, 5, 100, 10)).toBeNull();
});

test("a history is folded only if it follows all of the new text", () => {
  const message = (text: string, newText: string, quotedText: string) => ({ text, newText, quotedText }) as Message;
  expect(foldedText(message("Yes.\n\nOn Monday:\n> ?", "Yes.\n", "On Monday:\n> ?"))).toEqual({
    shown: "Yes.",
    folded: "On Monday:\n> ?",
  });
  // A signature between them is folded too, and can be shown.
  expect(foldedText(message("Yes.\n-- \nAnn\n> ?", "Yes.", "> ?"))?.folded).toContain("Ann");
  expect(foldedText(message("> ?\nYes.", "Yes.", "> ?"))).toBeNull();
  expect(foldedText(message("Yes.", "Yes.", ""))).toBeNull();
});

test("a conversation is split at the message that is open, without its copies", () => {
  const email = (id: string, messageId = id) => ({ id, messageId }) as Email;
  const open = { id: "b", messageId: "b" } as Message;
  const { earlier, later } = splitAround(open, [email("a"), email("b"), email("copy", "b"), email("c")]);
  expect([earlier, later].map((some) => some.map(({ id }) => id))).toEqual([["a"], ["c"]]);
});
