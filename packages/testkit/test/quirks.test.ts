import { PROFILES, profileOf, type Quirk, quirkRewrite } from "@postern/testkit";
import { expect, it } from "vitest";

/** Returns what a session through these quirks sends and receives. */
const through = (...quirks: ReadonlyArray<Quirk>) => {
  const { command, response } = quirkRewrite(quirks);
  return { up: (line: string) => command!(`${line}\r\n`, 1), down: (line: string) => response!(`${line}\r\n`, 1) };
};
const evidence = "a test";

it("has twelve profiles or more, each rule with its evidence", () => {
  expect(PROFILES.length).toBeGreaterThanOrEqual(12);
  for (const { quirks } of PROFILES) for (const quirk of quirks) expect(quirk.evidence).toMatch(/\S/);
  expect(() => profileOf("none")).toThrow("gmail");
});

it("announces other capabilities, and refuses the commands of removed ones", () => {
  const { up, down } = through(
    { kind: "removes", capabilities: ["CONDSTORE", "UIDPLUS"], evidence },
    { kind: "adds", capabilities: ["X-NEW"], evidence },
  );
  expect(down("* CAPABILITY IMAP4rev1 CONDSTORE UIDPLUS IDLE")).toBe("* CAPABILITY IMAP4rev1 IDLE X-NEW\r\n");
  expect(down("a OK [CAPABILITY CONDSTORE IDLE] in")).toBe("a OK [CAPABILITY IDLE X-NEW] in\r\n");
  expect(down("* OK [HIGHESTMODSEQ 7] Highest")).toBe("");
  expect(down("b OK [COPYUID 1 2 3] Moved.")).toBe("b OK Moved.\r\n");
  expect(up("c UID EXPUNGE 1")).toEqual({ answer: "BAD unknown command or argument" });
  expect(up("d UID FETCH 1:* (FLAGS) (CHANGEDSINCE 5)")).toEqual({ answer: "BAD unknown command or argument" });
  expect(up("e UID FETCH 1:* (FLAGS)")).toBe("e UID FETCH 1:* (FLAGS)\r\n");
});

it("refuses, rewrites, and inserts lines before the end of a command that succeeded", () => {
  const { up, down } = through(
    { kind: "refuses", command: /SEARCH.*HEADER/, answer: "NO [SERVERBUG] later", evidence },
    { kind: "rewrites command", command: /RETURN \([^)]*\) /, to: "", evidence },
    { kind: "rewrites response", response: / ?UIDNEXT \d+/, to: "", evidence },
    { kind: "inserts", command: /NOOP/, lines: "* VANISHED 1:9\r\n", evidence },
  );
  expect(up("a UID SEARCH HEADER X y")).toEqual({ answer: "NO [SERVERBUG] later" });
  expect(up("b SEARCH RETURN (ALL) ALL")).toBe("b SEARCH ALL\r\n");
  expect(down("* STATUS INBOX (MESSAGES 3 UIDNEXT 4)")).toBe("* STATUS INBOX (MESSAGES 3)\r\n");
  for (const [tag, answer, lines] of [
    ["c", "OK done", "* VANISHED 1:9\r\nc OK done\r\n"],
    ["d", "NO not now", "d NO not now\r\n"],
  ]) {
    up(`${tag} NOOP`);
    expect(down(`${tag} ${answer}`)).toBe(lines);
  }
});

it("delays, cuts and splits responses", () => {
  const { down } = through(
    { kind: "delays", response: /FETCH/, millis: 5, evidence },
    { kind: "cuts", response: /FETCH/, bytes: 3, evidence },
  );
  expect(down("* 1 FETCH (UID 1)")).toEqual({ lines: "* 1 FETCH (UID 1)\r\n", lateBy: 5, cutAt: 3 });
  expect(down("* 1 EXISTS")).toBe("* 1 EXISTS\r\n");
  expect(quirkRewrite([{ kind: "splits", bytes: 7, evidence }]).pieces).toBe(7);
});

it("gives each message an id that its copies share, and a conversation that can be searched", () => {
  const { up, down } = through({ kind: "labels", evidence });
  up('a SELECT "INBOX"');
  expect(up("b UID FETCH 1:* (UID FLAGS X-GM-MSGID X-GM-THRID)")).toBe("b UID FETCH 1:* (UID FLAGS X-GUID)\r\n");
  const row = (uid: number, guid: string) => String(down(`* ${uid} FETCH (UID ${uid} FLAGS () X-GUID ${guid})`));
  const idsOf = (line: string) => /X-GM-MSGID (\d{19}) X-GM-THRID (\d{19})\)/.exec(line)!.slice(1);
  const [one, two, nine] = [row(1, "g1"), row(2, "g2"), row(9, "g1")].map(idsOf);
  expect([one![0] === two![0], one![1] === two![1]]).toEqual([false, true]);
  expect([one![0] === nine![0], one![1] === nine![1]]).toEqual([true, false]);
  expect(up(`c UID SEARCH X-GM-THRID ${one![1]}`)).toBe("c UID SEARCH UID 1,2,3\r\n");
  expect(up(`d UID SEARCH X-GM-THRID ${nine![1]}`)).toBe("d UID SEARCH UID 9\r\n");
  expect(up("e UID EXPUNGE 9")).toBe('e UID MOVE 9 "[Gmail]/All Mail"\r\n');
  up("f SELECT Trash");
  expect(up("g UID EXPUNGE 9")).toBe("g UID EXPUNGE 9\r\n");
});
