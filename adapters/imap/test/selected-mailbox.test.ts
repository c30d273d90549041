import { expect, it } from "vitest";
import { SelectedMailbox } from "../src/selecting/SelectedMailbox.ts";

const select = (lines: ReadonlyArray<string>, said = "OK done") => {
  const mailbox = new SelectedMailbox("Work");
  const taken = lines.filter((line) => mailbox.take(Buffer.from(line, "latin1")));
  return { mailbox: mailbox.selected(said), left: lines.filter((line) => !taken.includes(line)) };
};

it("reads the responses of a server about a mailbox", () => {
  const { mailbox, left } = select(
    [
      "* FLAGS (\\Answered \\Seen $Forwarded)",
      "* OK [PERMANENTFLAGS (\\Seen \\*)] Flags permitted.",
      "* 12 EXISTS",
      "* 3 RECENT",
      "* OK [UNSEEN 4] First unseen.",
      "* OK [UIDVALIDITY 4294967295] UIDs valid",
      "* ok [uidnext 13] next",
      "* OK [HIGHESTMODSEQ 9223372036854775807] Highest",
    ],
    "OK [READ-WRITE] Select completed (0.001 secs).",
  );
  expect(mailbox).toEqual({
    path: "Work",
    flags: new Set(["\\Answered", "\\Seen", "$Forwarded"]),
    permanentFlags: new Set(["\\Seen", "\\*"]),
    exists: 12,
    uidValidity: 4_294_967_295n,
    uidNext: 13,
    highestModseq: 9_223_372_036_854_775_807n,
    readOnly: false,
  });
  expect(left).toEqual([]);
});

it("knows a read-only mailbox, and one without modification sequences", () => {
  expect(select(["* OK [NOMODSEQ] none"], "OK [READ-ONLY] in").mailbox).toMatchObject({
    readOnly: true,
    noModseq: true,
  });
});

it("leaves unknown flags unset, because an empty list would refuse every change", () => {
  expect(select(["* OK [PERMANENTFLAGS] odd", "* OK [UIDNEXT x] odd"]).mailbox).toEqual({ path: "Work" });
});

it("leaves other responses to imapflow", () => {
  const others = [
    "* OK [ALERT] shutting down",
    "* CAPABILITY IMAP4rev1",
    "* 2 EXPUNGE",
    "* 2 FETCH (FLAGS ())",
    "* BYE",
  ];
  expect(select(others).left).toEqual(others);
});
