import { describe, expect, test } from "vitest";
import { draftFrom, emptyDraft, missingParts } from "../src/compose/draft/draft.ts";
import { peopleOf } from "../src/compose/fields/people-seen.ts";
import {
  matchPeople,
  recipientsFault,
  shownAs,
  splitRecipients,
  withContacts,
} from "../src/compose/fields/recipients.ts";
import { fieldValue, sendTimes, timeFault } from "../src/compose/sending/send-times.ts";
import type { Email } from "../src/mail/emails/emails.ts";
import { type Folder, folderTree } from "../src/shell/folders.ts";
import { byArrival } from "../src/mail/emails/listed-order.ts";
import type { Message } from "../src/mail/emails/message.ts";
import { mailbox } from "../src/mail/emails/people.ts";
import { signInHelp } from "../src/session/sign-in-help.ts";
import { addressee, senderOf, signText } from "../src/compose/signature.ts";
import type { Identity } from "../src/compose/fields/identities.ts";
import { deviceOf } from "../src/settings/device-of.ts";
import { urlRemark } from "../src/settings/webhooks/endpoint-url.ts";
import { stepsOf } from "../src/settings/webhooks/ladder.ts";
import { bytes } from "../src/ui/bytes.ts";
import { duration, shortTime } from "../src/ui/time.ts";

const LADDER = [60_000, 300_000, 900_000, 3_600_000, 21_600_000];

const attempt = (n: number, status: number | null, errorCode: string | null = null) => ({
  n,
  startedAt: "2026-01-02T03:04:05.678Z",
  ms: 12,
  status,
  errorCode,
  excerpt: "",
  requestHeaders: null,
});

describe("the ladder", () => {
  test("shows failed attempts, the due one and possible later ones", () => {
    const steps = stepsOf(
      {
        attempts: [attempt(1, 500), attempt(2, null, "timeout")],
        state: "pending",
        trigger: "event",
        nextAttemptAt: "2026-01-02T03:19:05.678Z",
      },
      LADDER,
    );
    expect(steps.map(({ is }) => is)).toEqual(["failed", "failed", "due", "open", "open", "open"]);
    expect(steps.map(({ wait }) => wait)).toEqual([0, ...LADDER]);
    expect(steps[2]?.dueAt).toBe("2026-01-02T03:19:05.678Z");
  });

  test("ends with a success; an incomplete 2xx answer is a failure", () => {
    const states = (attempts: ReadonlyArray<ReturnType<typeof attempt>>, state: "succeeded" | "in_flight") =>
      stepsOf({ attempts, state, trigger: "event", nextAttemptAt: null }, LADDER).map(({ is }) => is);
    expect(states([attempt(1, 500), attempt(2, 204)], "succeeded")).toEqual(["failed", "succeeded"]);
    expect(states([attempt(1, 200, "body_timeout")], "in_flight").slice(0, 2)).toEqual(["failed", "under_way"]);
  });

  test("a resend has one step", () => {
    expect(stepsOf({ attempts: [], state: "pending", trigger: "resend", nextAttemptAt: null }, LADDER)).toHaveLength(1);
  });
});

test.for([
  ["", null],
  ["https://example.com/hooks", null],
  ["exa", "fault"],
  ["https://", "fault"],
  ["https://exa mple.com", "fault"],
  ["https://a:b@example.com", "fault"],
  [`https://example.com/${"x".repeat(2048)}`, "fault"],
  ["http://example.com", "doubt"],
  ["https://192.168.1.4/", "doubt"],
  ["https://localhost/", "doubt"],
  ["https://[::1]/", "doubt"],
] as const)("an endpoint's URL as it is typed: %s is %s", ([url, is]) => {
  expect(urlRemark(url)?.is ?? null).toBe(is);
});

const folder = (id: string, role: Folder["role"], name: string, parentId: string | null = null): Folder => ({
  id,
  role,
  name,
  parentId,
  path: name,
  delimiter: "/",
  selectable: true,
  unreadCount: 0,
  totalCount: 0,
});

test("special folders come first, then the others by name with their children; a missing parent hides no folder", () => {
  const tree = folderTree([
    folder("f_z", null, "Zoo"),
    folder("trash", "trash", "Deleted"),
    folder("f_b", null, "Beta", "f_z"),
    folder("inbox", "inbox", "INBOX"),
    folder("f_a", null, "Alpha", "f_gone"),
  ]);
  expect(tree.map(({ folder: { id }, depth }) => [id, depth])).toEqual([
    ["inbox", 0],
    ["trash", 0],
    ["f_a", 0],
    ["f_z", 0],
    ["f_b", 1],
  ]);
});

const original = {
  id: "m_2",
  from: "ada@example.com",
  fromName: "Ada",
  replyTo: "",
  to: [
    { name: "", address: "Me@example.com" },
    { name: "Lee, Kim", address: "kim@example.com" },
  ],
  cc: [{ name: "", address: "ada@example.com" }],
  subject: "re: Stairs",
  date: "2026-01-02T03:04:05.678Z",
  text: "one\ntwo\n",
} as unknown as Message;

describe("an answer", () => {
  test("goes to the sender, names the original and quotes it", () => {
    const draft = draftFrom(original, "reply", ["me@example.com"]);
    expect(draft).toMatchObject({
      to: "Ada <ada@example.com>",
      cc: "",
      subject: "re: Stairs",
      hidden: { replyToMessageId: "m_2", force: true },
    });
    expect(draft.text).toContain("> one\n> two\n");
  });

  test("to all leaves out the user and recipients already named", () => {
    expect(draftFrom(original, "replyAll", ["me@example.com"]).cc).toBe('"Lee, Kim" <kim@example.com>');
  });

  test("to the user's own message goes to its recipients", () => {
    const mine = { ...original, from: "me@example.com", to: [{ name: "", address: "kim@example.com" }] } as Message;
    expect(draftFrom(mine, "reply", ["me@example.com"])).toMatchObject({ to: "kim@example.com", cc: "" });
    expect(draftFrom(mine, "replyAll", ["Me@example.com"])).toMatchObject({
      to: "kim@example.com",
      cc: "ada@example.com",
    });
    expect(draftFrom({ ...mine, to: [], cc: [] }, "reply", ["me@example.com"]).to).toBe("Ada <me@example.com>");
  });

  test("a forward has no recipients yet, and names its original", () => {
    expect(draftFrom(original, "forward", ["me@example.com"])).toMatchObject({
      to: "",
      subject: "Fwd: re: Stairs",
      hidden: { forwardOf: "m_2" },
    });
  });
});

test("a draft lacks a subject and text, unless a file or a forwarded message is its text", () => {
  const draft = emptyDraft();
  const file = { key: "1", name: "plan", size: 1, progress: 0, uploaded: null, fault: null };
  expect(missingParts(draft)).toEqual(["subject", "text"]);
  expect(missingParts({ ...draft, subject: "Plan", files: [file] })).toEqual([]);
  expect(missingParts({ ...draft, subject: "Fwd: Plan", hidden: { forwardOf: "m_1" } })).toEqual([]);
});

test("messages are listed by arrival, whichever folder they are in, not by UID", () => {
  const email = (id: string, folder: string, date: string) => ({ id, folder, date }) as Email;
  const listed = byArrival([
    email("restored", "INBOX", "2026-01-01T00:00:00.000Z"),
    email("new", "INBOX", "2026-01-03T00:00:00.000Z"),
    email("sent", "Sent", "2026-01-04T00:00:00.000Z"),
    email("same", "INBOX", "2026-01-03T00:00:00.000Z"),
  ]);
  expect(listed.map(({ id }) => id)).toEqual(["sent", "new", "same", "restored"]);
});

test("names with a comma or a quote are quoted", () => {
  expect(mailbox({ name: 'Kim "K" Lee', address: "k@example.com" })).toBe('"Kim \\"K\\" Lee" <k@example.com>');
  expect(mailbox({ name: "Zoë", address: "z@example.com" })).toBe("Zoë <z@example.com>");
});

test("sizes and times are short", () => {
  expect([0, 1023, 1024, 25 * 1024 * 1024].map(bytes)).toEqual(["0 B", "1023 B", "1.0 KB", "25 MB"]);
  expect([5, 60_000, 4_860_000, 21_600_000].map(duration)).toEqual(["5 ms", "1 m", "1 h 21 m", "6 h"]);
  const now = new Date(2026, 5, 15, 12);
  expect(shortTime(new Date(2025, 5, 15).toISOString(), now)).toContain("2025");
  expect(shortTime(new Date(2026, 4, 3).toISOString(), now)).not.toContain("2026");
});

test("a session names its browser and system if the User-Agent does", () => {
  expect(deviceOf("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36")).toBe(
    "Chrome on Linux",
  );
  expect(deviceOf("curl/8.5.0")).toBe("curl/8.5.0");
  expect(deviceOf("")).toBe("Unknown client");
});

test("a refused sign-in says what to do, about the credential, the mail server and other causes", () => {
  expect(signInHelp("invalid_credentials").join()).toContain("app password");
  for (const code of ["mail_server_unreachable", "mail_server_timeout", "mail_server_untrusted"]) {
    expect(signInHelp(code).join()).toContain("Your password was not refused");
  }
  expect(signInHelp("app_password_required")).toEqual([expect.stringContaining("create an app password")]);
  for (const code of ["oauth_required", "basic_auth_disabled"]) {
    expect(signInHelp(code)).toEqual([expect.stringContaining("Ask the operator")]);
    expect(signInHelp(code, ["Google", "Corp"])).toEqual([
      "Your mail provider accepts no passwords from other programs. Choose “Continue with Google” or “Continue with Corp” below.",
    ]);
  }
  expect(signInHelp("app_password_required", ["Google"])[1]).toBe("Or choose “Continue with Google” below.");
  expect(signInHelp("invalid_credentials", ["Google"])[1]).toContain("“Continue with Google”");
  expect(signInHelp("imap_disabled")).toEqual([expect.stringContaining("Enable IMAP")]);
  expect(signInHelp("account_paused")).toHaveLength(1);
  expect(signInHelp("too_many_attempts")).toEqual([]);
});

test("a message can be sent later: this afternoon, tomorrow, on Monday, or at a future time within a year", () => {
  const at = (now: Date) => sendTimes(now).map(({ name, at: time }) => [name, fieldValue(time)]);
  expect(at(new Date(2026, 5, 15, 9))).toEqual([
    ["This afternoon", "2026-06-15T13:00"],
    ["Tomorrow morning", "2026-06-16T08:00"],
    ["Tomorrow afternoon", "2026-06-16T13:00"],
    ["Monday morning", "2026-06-22T08:00"],
  ]);
  const onSunday = at(new Date(2026, 5, 14, 20)).map(([name]) => name);
  expect(onSunday).toEqual(["Tomorrow morning", "Tomorrow afternoon"]);
  const now = new Date(2026, 5, 15, 9);
  const faults = ["", "2026-06-15T08:59", "2027-07-01T09:00", "2026-06-15T09:01"].map((typed) => timeFault(typed, now));
  expect(faults.map((fault) => fault !== undefined)).toEqual([true, true, true, false]);
});

test("a signature goes before the quoted text, and changes with the sender; an answer is sent by the addressee of the original", () => {
  const identity = (address: string, signatureText: string, isDefault = false) =>
    ({ id: `i_${address}`, address, name: "", signatureText, isDefault, verified: true }) as Identity;
  const [own, sales] = [identity("me@example.com", "Me\n", true), identity("Sales@example.com", "Sales team")];
  const text = signText("\n\n> quoted\n", own);
  expect(text).toBe("\n\n-- \nMe\n\n> quoted\n");
  expect(signText(`Hello${text}`, sales, own)).toBe("Hello\n\n-- \nSales team\n\n> quoted\n");
  expect(signText("Hello", identity("x@example.com", " "))).toBe("Hello");
  const message = { to: [{ name: "", address: "sales@example.com" }], cc: [] } as unknown as Message;
  expect(addressee(message, [own, sales])).toBe(sales);
  expect(addressee({ ...message, cc: [{ name: "", address: "me@example.com" }] }, [own, sales])).toBe(undefined);
  expect(addressee(message, [own, { ...sales, verified: false }])).toBe(undefined);
  expect(
    [null, "i_Sales@example.com", { name: "", address: "SALES@example.com" }].map((from) =>
      senderOf(from, [own, sales]),
    ),
  ).toEqual([own, sales, sales]);
});

describe("recipients", () => {
  test("are separated by commas and semicolons outside of names and addresses", () => {
    expect(splitRecipients('"Lee, Kim" <kim@example.com>; ada@example.com,\n , Ro <r@example.com>')).toEqual([
      '"Lee, Kim" <kim@example.com>',
      "ada@example.com",
      "Ro <r@example.com>",
    ]);
    expect(shownAs('"Lee, Kim" <kim@example.com>')).toBe("Lee, Kim");
    expect([shownAs("ada@example.com"), shownAs("<ada@example.com>")]).toEqual(["ada@example.com", "ada@example.com"]);
  });

  test("without an address are faults", () => {
    expect(recipientsFault("Ada <ada@example.com>, Kim, r@")).toBe("No e-mail address: Kim, r@");
    expect(recipientsFault("")).toBe(undefined);
  });

  test("are completed from contacts, then from the senders of seen mail, those who wrote most often first", () => {
    const mail = (from: string, fromName: string) => ({ from, fromName }) as unknown as Email;
    const received = [
      mail("KIM@example.com", ""),
      mail("bo@example.com", "Bo"),
      mail("ada@example.com", "Ada"),
      mail("ada@example.com", "Ada"),
    ];
    const contacts = [
      { name: "Kim Lee", address: "kim@example.com" },
      { name: "", address: "kit@example.com" },
    ];
    const people = withContacts(contacts, peopleOf(received));
    expect(people.map(({ address }) => address)).toEqual(
      ["kim", "kit", "ada", "bo"].map((name) => `${name}@example.com`),
    );
    expect(matchPeople(people, "ki", []).map(({ name, address }) => name || address)).toEqual([
      "Kim Lee",
      "kit@example.com",
    ]);
    expect(matchPeople(people, "lee", []).map(({ name }) => name)).toEqual(["Kim Lee"]);
    expect(matchPeople(people, "ki", ["Kim <kim@example.com>"]).map(({ address }) => address)).toEqual([
      "kit@example.com",
    ]);
    expect(matchPeople(people, "kit@example.com", [])).toEqual([]);
    expect(matchPeople(people, " ", [])).toEqual([]);
  });
});
