import { quoted, searchParts } from "./search-parts.ts";

/** A search as the fields of a form; an empty text is no criterion. */
export interface SearchFields {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly label: string;
  readonly words: string;
  readonly without: string;
  /** The role or path of a folder. */
  readonly folder: string;
  readonly after: string;
  readonly before: string;
  readonly hasAttachment: boolean;
  readonly isUnread: boolean;
  readonly isFlagged: boolean;
  /** The parts without a field in the form, as they were typed. */
  readonly rest: string;
}

const TEXTS = ["from", "to", "subject", "label", "after", "before"] as const;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Returns the fields of a search. A part without a field, or a second part for a field, stays in `rest`. */
export const fieldsOf = (search: string): SearchFields => {
  const fields: Record<string, string | boolean> = {};
  const [words, without, rest]: [Array<string>, Array<string>, Array<string>] = [[], [], []];
  const flags: Readonly<Record<string, string>> = {
    "has:attachment": "hasAttachment",
    "is:unread": "isUnread",
    "is:flagged": "isFlagged",
  };
  for (const { text, operator, value, isExcluded } of searchParts(search)) {
    const name = operator === "in" ? "folder" : (operator ?? "");
    const isField = [...TEXTS, "folder"].includes(name as "from") && fields[name] === undefined && !isExcluded;
    const isDay = !/^(after|before)$/.test(name) || DAY.test(value);
    if (operator === null) (isExcluded ? without : words).push(isExcluded ? text.slice(1) : text);
    else if (isField && isDay) fields[name] = value;
    else if (flags[text.toLowerCase()] !== undefined) fields[flags[text.toLowerCase()]!] = true;
    else rest.push(text);
  }
  const none = { from: "", to: "", subject: "", label: "", folder: "", after: "", before: "" };
  const unset = { hasAttachment: false, isUnread: false, isFlagged: false };
  return { ...none, ...unset, ...fields, words: words.join(" "), without: without.join(" "), rest: rest.join(" ") };
};

/** Returns the search of the fields as one line. */
export const writeFields = (fields: SearchFields): string => {
  const excluded = searchParts(fields.without).map(({ text }) => `-${text.replace(/^-/, "")}`);
  const parts = [
    ...TEXTS.map((name) => (fields[name].trim() === "" ? "" : `${name}:${quoted(fields[name])}`)),
    fields.folder === "" ? "" : `in:${quoted(fields.folder)}`,
    fields.hasAttachment ? "has:attachment" : "",
    fields.isUnread ? "is:unread" : "",
    fields.isFlagged ? "is:flagged" : "",
    fields.words.trim(),
    ...excluded,
    fields.rest,
  ];
  return parts.filter((part) => part !== "").join(" ");
};
