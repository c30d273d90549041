/** The parameters of a search at the API. */
export interface SearchCriteria {
  readonly from?: string;
  readonly to?: string;
  readonly cc?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly since?: string;
  readonly before?: string;
  readonly unread?: boolean;
  readonly flagged?: boolean;
  readonly hasAttachments?: true;
}

/** The user's search in the terms of the API. */
export interface SearchTerms {
  readonly criteria: SearchCriteria;
  /** The folder that `in:` names; `in:all` is undefined. */
  readonly folder: string | undefined;
  /** Whether `in:` says where to search. */
  readonly isPlaced: boolean;
  /** The parts that cannot be searched, as they were typed. */
  readonly unknown: ReadonlyArray<string>;
}

/** The operators that a search knows, for the user. */
export const OPERATORS = [
  "from:",
  "to:",
  "cc:",
  "subject:",
  "has:attachment",
  "is:unread",
  "is:read",
  "is:starred",
  "before:2026-03-01",
  "after:2026-03-01",
  "in:archive",
  '"a phrase"',
] as const;

const PART = /(-?)(?:([a-z]+):(?!\/\/))?(?:["“]([^"”]*)["”]?|(\S+))/giu;

const IS: Readonly<Record<string, SearchCriteria>> = {
  unread: { unread: true },
  read: { unread: false },
  starred: { flagged: true },
  flagged: { flagged: true },
  unstarred: { flagged: false },
  unflagged: { flagged: false },
};
const HAS: Readonly<Record<string, SearchCriteria>> = {
  attachment: { hasAttachments: true },
  attachments: { hasAttachments: true },
  file: { hasAttachments: true },
  files: { hasAttachments: true },
};

/** Returns the day as the API writes it, or undefined if there is no such day. */
const dayOf = (value: string): string | undefined => {
  const day = /^\d{4}[-/]\d{1,2}[-/]\d{1,2}$/.test(value)
    ? value
        .split(/[-/]/)
        .map((part) => part.padStart(2, "0"))
        .join("-")
    : "";
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day) ? day : undefined;
};

/** Returns the criteria of an operator; undefined if the API cannot search for it. */
const criterionOf = (operator: string, value: string): SearchCriteria | undefined => {
  if (value === "") return undefined;
  if (operator === "from" || operator === "to" || operator === "cc" || operator === "subject") {
    return { [operator]: value };
  }
  if (operator === "is") return IS[value.toLowerCase()];
  if (operator === "has") return HAS[value.toLowerCase()];
  const day = operator === "before" || operator === "after" ? dayOf(value) : undefined;
  if (day === undefined) return undefined;
  return operator === "before" ? { before: day } : { since: day };
};

/**
 * Reads a search as people write it: operators (`from:ann`), quoted phrases, and words, which are searched as one
 * phrase. The API accepts one text and each criterion once; everything else is returned as unknown.
 */
export const searchTerms = (search: string): SearchTerms => {
  let criteria: SearchCriteria = {};
  let folder: string | undefined;
  let isPlaced = false;
  const words: Array<string> = [];
  const phrases: Array<string> = [];
  const unknown: Array<string> = [];
  for (const [part, minus, name, quoted, word] of search.matchAll(PART)) {
    const operator = name?.toLowerCase();
    const value = (quoted ?? word ?? "").trim();
    if (minus === "-") unknown.push(part);
    else if (operator === undefined) {
      if (quoted === undefined) words.push(part);
      else if (value !== "") phrases.push(value);
    } else if (operator === "in") {
      if (isPlaced || value === "") unknown.push(part);
      else folder = /^(all|any|anywhere)$/i.test(value) ? undefined : value;
      isPlaced = true;
    } else {
      const criterion = criterionOf(operator, value);
      if (criterion === undefined || Object.keys(criterion).some((key) => key in criteria)) unknown.push(part);
      else criteria = { ...criteria, ...criterion };
    }
  }
  const texts = words.length === 0 ? phrases : [words.join(" "), ...phrases];
  const [text, ...others] = texts;
  unknown.push(...others.map((phrase) => `"${phrase}"`));
  return { criteria: text === undefined ? criteria : { ...criteria, text }, folder, isPlaced, unknown };
};
