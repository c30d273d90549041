import type { SearchCriteria } from "@postern/core/messages";
import { base64Lines, crlfLines, messageOf, multipart } from "../../fixtures/mail-messages.ts";
import type { AppendOptions } from "../../controls/MailServerControl.ts";

const noon = (day: number) => ({ arrivedAt: Date.UTC(2025, 5, day, 12) });

/** Messages to search for, by letter. */
export const SEARCHED: ReadonlyArray<readonly [letter: string, raw: string, options: AppendOptions]> = [
  [
    "a",
    crlfLines(
      "From: Anna <anna@one.example>",
      "To: Bob <bob@x.example>",
      "Cc: Dora <dora@x.example>",
      "Subject: Budget 2025",
      "Message-ID: <a@x>",
      "",
      "Numbers.",
    ),
    noon(1),
  ],
  [
    "b",
    crlfLines(
      "From: =?utf-8?Q?J=C3=BCrgen?= <j@two.example>",
      "To: anna@one.example",
      "Subject: =?utf-8?B?UmU6IEdyw7zDn2U=?=",
      "Message-ID: <b@x>",
      "In-Reply-To: <a@x>",
      "References: <a@x>",
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=iso-8859-1",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "Sch=F6ne Stra=DFe, budget within.",
    ),
    { ...noon(2), flags: ["\\Seen", "Gr&APYA3w-e"] },
  ],
  [
    "c",
    messageOf(
      multipart("mixed", "b1", [
        { headers: ["Content-Type: text/html"], body: "<p>With a file</p>" },
        {
          headers: [
            "Content-Type: application/pdf",
            "Content-Disposition: attachment; filename=x.pdf",
            "Content-Transfer-Encoding: base64",
          ],
          body: base64Lines(new Uint8Array(5000)),
        },
      ]),
      ["Subject: file", "Cc: Carla <carla@one.example>", "Message-ID: <c@x>", "References: <z@x> <b@x>"],
    ),
    { ...noon(3), flags: ["\\Flagged", "Lot", "$Forwarded"] },
  ],
];

/** Criteria, and the letters of the messages that match. */
export const SEARCHES: ReadonlyArray<readonly [criteria: SearchCriteria, letters: string]> = [
  [{}, "abc"],
  [{ from: "ANNA" }, "a"],
  [{ from: "one.example" }, "a"],
  [{ from: "jürgen" }, "b"],
  [{ to: "anna@" }, "b"],
  [{ cc: "CARLA" }, "c"],
  [{ cc: "anna" }, ""],
  [{ subject: "budget" }, "a"],
  [{ subject: "grüße" }, "b"],
  [{ headers: "budget" }, "a"],
  [{ headers: "anna" }, "ab"],
  [{ headers: "carla" }, "c"],
  [{ headers: "grüße" }, "b"],
  [{ headers: "numbers" }, ""],
  [{ text: "budget" }, "ab"],
  [{ text: "Straße" }, "b"],
  [{ text: "with a file" }, "c"],
  [{ text: 'none "of\\ these' }, ""],
  [{ since: "2025-06-02" }, "bc"],
  [{ before: "2025-06-02" }, "a"],
  [{ since: "2025-06-02", before: "2025-06-03" }, "b"],
  [{ arrivedFrom: Date.UTC(2025, 5, 2, 12) }, "bc"],
  [{ arrivedFrom: Date.UTC(2025, 5, 2, 12, 0, 1) }, "c"],
  [{ arrivedBefore: Date.UTC(2025, 5, 2, 12) }, "a"],
  [{ arrivedBefore: Date.UTC(2025, 5, 2, 12, 0, 1) }, "ab"],
  [{ arrivedFrom: Date.UTC(2025, 5, 2, 11), arrivedBefore: Date.UTC(2025, 5, 2, 13) }, "b"],
  [{ messageId: "<a@x>" }, "a"],
  [{ messageId: "<none@x>" }, ""],
  [{ unread: true }, "ac"],
  [{ unread: false }, "b"],
  [{ flagged: true }, "c"],
  [{ flagged: false }, "ab"],
  [{ label: "lOt" }, "c"],
  [{ label: "GRÖßE" }, "b"],
  [{ label: "absent" }, ""],
  [{ label: "no label" }, ""],
  [{ hasAttachments: true }, "c"],
  [{ hasAttachments: false, text: "budget" }, "ab"],
  [{ larger: 5000 }, "c"],
  [{ larger: 0 }, "abc"],
  [{ smaller: 5000 }, "ab"],
  [{ smaller: 0 }, ""],
  [{ related: ["<a@x>"] }, "ab"],
  [{ related: ["<b@x>", "<none@x>"] }, "bc"],
  [{ related: [] }, ""],
  [{ threadId: "T0none" }, ""],
  [{ terms: [{ field: "text", text: "budget", isExcluded: false }] }, "ab"],
  [{ terms: [{ field: "headers", text: "budget", isExcluded: true }] }, "bc"],
  [
    {
      terms: [
        { field: "from", text: "one.example", isExcluded: true },
        { field: "subject", text: "file", isExcluded: true },
        { field: "text", text: "within", isExcluded: false },
      ],
    },
    "b",
  ],
];

/** The first search by each criterion. */
export const FIRST_SEARCHES: typeof SEARCHES = SEARCHES.filter(([criteria], n) => {
  const before = SEARCHES.slice(0, n).flatMap(([earlier]) => Object.keys(earlier));
  return Object.keys(criteria).some((name) => !before.includes(name));
});

/** Each pair of searches by different criteria, combined into one search. */
export const PAIRS: typeof SEARCHES = SEARCHES.flatMap(([one, found], n) =>
  SEARCHES.slice(n + 1)
    .filter(([other]) => !Object.keys(other).some((name) => name in one))
    .map(([other, also]) => [{ ...one, ...other }, both(found, also)] as const),
);

/** All criteria in one search, which finds message `a`. */
export const ALL_CRITERIA: Required<Omit<SearchCriteria, "threadId" | "label">> = {
  from: "anna",
  to: "bob",
  cc: "dora",
  headers: "anna",
  subject: "budget",
  text: "numbers",
  messageId: "<a@x>",
  since: "2025-06-01",
  before: "2025-06-02",
  arrivedFrom: Date.UTC(2025, 5, 1),
  arrivedBefore: Date.UTC(2025, 5, 2),
  unread: true,
  flagged: false,
  hasAttachments: false,
  larger: 10,
  smaller: 5000,
  related: ["<a@x>"],
  terms: [{ field: "text", text: "budget", isExcluded: false }],
};

/** Returns whether a search needs words of a message's body, which not every server finds. */
export const isInBodies = ({ text, terms = [] }: SearchCriteria): boolean =>
  text !== undefined || terms.some(({ field }) => field === "text");

function both(one: string, other: string): string {
  return [...one].filter((letter) => other.includes(letter)).join("");
}
