import type { Search } from "@postern/core/messages";
import type { SeededRandom } from "../../../../timeline/SeededRandom.ts";
import { type Criteria, FOLDERS, type KnownMail, matches } from "../../../mail/known-mail.ts";
import { writtenForms } from "../../../mail/search-requests.ts";

export type SearchRequest = Parameters<Search["Service"]["list"]>[1];

/** A search, with the messages that match it. */
export interface DrawnSearch {
  readonly request: SearchRequest;
  /** The folder that is searched; null for all. */
  readonly folder: string | null;
  readonly holds: (mail: KnownMail) => boolean;
}

/** A text that must or must not occur, in the line of a search. */
interface Term {
  readonly field: "from" | "to" | "cc" | "subject" | "text";
  readonly text: string;
}

const TERMS: ReadonlyArray<Term> = [
  { field: "text", text: "nothing" },
  { field: "text", text: "anna" },
  { field: "text", text: "BIG" },
  { field: "from", text: "far.test" },
  { field: "from", text: "Bert" },
  { field: "to", text: "list@" },
  { field: "cc", text: "carla" },
  { field: "subject", text: "big plan" },
  { field: "subject", text: "TRIP" },
];

const partOf = (mail: KnownMail, field: Term["field"], scope: Criteria["scope"]): string =>
  field === "text"
    ? scope === "headers"
      ? [mail.from, mail.to, mail.cc, mail.subject].join("\n")
      : mail.text
    : mail[field];

/** Draws some criteria, some of them as fields and the others in one line. */
export const drawSearch = (
  random: SeededRandom,
  all: ReadonlyArray<KnownMail>,
  idOf: (folder: string) => string,
): DrawnSearch => {
  let fields: Criteria = {};
  let criteria: Criteria = {};
  const words: Array<string> = [];
  const forms = writtenForms(all).filter(([{ folder }]) => folder === undefined);
  for (const [one, line] of random.some(forms, random.between(0, 4))) {
    if (Object.keys(one).some((name) => name in criteria)) continue;
    criteria = { ...criteria, ...one };
    if (line !== undefined && random.chance(0.5)) words.push(line);
    else fields = { ...fields, ...one };
  }
  const terms = random
    .some(TERMS, random.pick([0, 0, 1, 2]))
    .map((term) => ({ ...term, isExcluded: random.chance(0.5) }))
    // A criterion is given in the line or as a field, not in both.
    .filter(({ field, isExcluded }) => isExcluded || !(field in fields));
  for (const { field, text, isExcluded } of terms) {
    const quoted = text.includes(" ") ? `"${text}"` : text;
    words.push(`${isExcluded ? "-" : ""}${field === "text" ? "" : `${field}:`}${quoted}`);
  }
  const isOfWords = "text" in criteria || terms.some(({ field }) => field === "text");
  const scope = criteria.scope ?? (isOfWords && random.chance(0.3) ? "headers" : undefined);
  const folder = random.chance(0.4) ? random.pick(FOLDERS)! : null;
  const named: SearchRequest = {};
  if (folder !== null) {
    const id = idOf(folder);
    const form = random.between(0, 4);
    if (form === 0) Object.assign(named, { folderId: id });
    else if (form === 1) Object.assign(named, { folder: random.pick([id, folder]) });
    else words.push(`in:${random.pick([id, folder, folder.toLowerCase(), folder.toUpperCase()])}`);
  }
  if (words.length === 0 && Object.keys(fields).length === 0) fields = { larger: 1 };
  const line = random.some(words, words.length).join(random.pick([" ", "  "]));
  return {
    request: { ...fields, ...named, ...(scope && { scope }), ...(words.length > 0 && { q: line }) },
    folder,
    holds: (mail) =>
      (folder === null || mail.folder === folder) &&
      matches(mail, { ...criteria, ...(scope && { scope }) }) &&
      terms.every(
        ({ field, text, isExcluded }) =>
          partOf(mail, field, scope).toLowerCase().includes(text.toLowerCase()) !== isExcluded,
      ),
  };
};

/** Draws requests that no search answers, with their errors. */
export const drawWrongSearches = (
  random: SeededRandom,
  idOf: (folder: string) => string,
): ReadonlyArray<readonly [SearchRequest, string]> => {
  const folder = random.pick(FOLDERS)!;
  const both: ReadonlyArray<readonly [string, SearchRequest]> = [
    ["from:anna", { from: random.pick(["anna", "bert"]) }],
    ["to:anna", { to: "anna" }],
    ["cc:carla", { cc: "carla" }],
    ["subject:trip", { subject: "trip" }],
    ["label:travel", { label: "work" }],
    ["has:attachment", { hasAttachments: random.chance(0.5) }],
    ["before:2026-03-01", { before: "2026-03-01" }],
    ["after:2026-03-01", { since: "2026-03-01T00:00:00Z" }],
    [random.pick(["is:unread", "is:read"]), { unread: random.chance(0.5) }],
    [random.pick(["is:flagged", "is:unflagged"]), { flagged: random.chance(0.5) }],
    [`in:${random.pick([folder, folder.toLowerCase()])}`, { folder: random.pick(FOLDERS)! }],
    [`in:${random.pick([folder, idOf(folder)])}`, { folderId: idOf(random.pick(FOLDERS)!) }],
  ];
  const twice = random.some(both, 5).map(([word, field]) => {
    const [before, after] = [random.pick(["", "anna ", "-plan "]), random.pick(["", " is:unread", " nothing"])];
    const isOther = "unread" in field && after.includes("unread");
    return [{ q: `${before}${word}${isOther ? "" : after}`, ...field }, "InputInvalid"] as const;
  });
  const others: ReadonlyArray<readonly [SearchRequest, string]> = [
    [
      {
        q: `${random.pick(["", "anna "])}${random.pick(["colour:red", "is:odd", "before:soon", "after:2026-02-30", "in:", "has:cats", "From:"])}`,
      },
      "InputInvalid",
    ],
    [{ q: random.pick(['""', "-", "  "]) }, "InputInvalid"],
    [{ q: "in:nowhere" }, "FolderNotFound"],
    [{ folder: "nowhere", from: "anna" }, "FolderNotFound"],
    [{ folderId: "nowhere", from: "anna" }, "FolderNotFound"],
    [{ folder, folderId: idOf(folder) }, "InputInvalid"],
    [{ scope: "headers", from: "anna" }, "InputInvalid"],
    [{ since: "soon" }, "InputInvalid"],
    [{ before: "2026-13-01" }, "InputInvalid"],
    [{ larger: random.pick([0, -1, 1.5]) }, "InputInvalid"],
    [{ from: "an\u0007na" }, "InputInvalid"],
    [{ from: "a".repeat(501) }, "InputInvalid"],
    [{ from: "anna", limit: random.pick([0, -1, 1.5]) }, "InputInvalid"],
    [{ from: "anna", page: random.pick([0, 2 ** 31 + 1]) }, "InputInvalid"],
    [{ from: "anna", cursor: "nothing", order: random.pick(["folder", "date"]) }, "CursorMalformed"],
  ];
  return [...twice, ...random.some(others, 4)];
};
