import type { Email } from "../emails/email.ts";
import { type Folder, folderName } from "../../shell/folders.ts";
import { OPERATORS, quoted } from "./search-parts.ts";
import { markText, t, type Text } from "../../texts/text.ts";

/** A completion that a search box offers. */
export interface Completion {
  /** The text of the box after the offer is chosen. */
  readonly search: string;
  readonly name: string;
  readonly hint: string;
  /** Whether choosing the offer begins the search; otherwise the user continues typing. */
  readonly isWhole: boolean;
}

/** The sources of completed values. */
export interface Known {
  readonly folders: ReadonlyArray<Folder>;
  readonly labels: ReadonlyArray<string>;
  readonly emails: ReadonlyArray<Email>;
  readonly earlier: ReadonlyArray<string>;
  /** The current time in epoch milliseconds. */
  readonly now: number;
}

const MAX_SHOWN = 10;
const DAY_MILLIS = 86_400_000;
/** The offered days as numbers of days ago, with their names. */
const DAYS: ReadonlyArray<readonly [ago: number, name: Text]> = [
  [0, markText("today")],
  [7, markText("a week ago")],
  [30, markText("30 days ago")],
  [365, markText("a year ago")],
];

type Value = readonly [value: string, hint: string];

const people = (known: Known, fieldOf: (email: Email) => ReadonlyArray<Value>): ReadonlyArray<Value> => [
  ...new Map(known.emails.flatMap(fieldOf).map((value) => [value[0].toLowerCase(), value])).values(),
];
const recipients = (some: Email["to"]): ReadonlyArray<Value> => some.map(({ address, name }) => [address, name]);

const VALUES: Readonly<Record<string, (known: Known) => ReadonlyArray<Value>>> = {
  from: (known) => people(known, ({ from, fromName }) => (from === "" ? [] : [[from, fromName]])),
  to: (known) => people(known, ({ to }) => recipients(to)),
  cc: (known) => people(known, ({ cc }) => recipients(cc)),
  has: () => [["attachment", t("with attachments")]],
  is: () => [
    ["unread", t("not read")],
    ["read", t("read [state]")],
    ["flagged", t("flagged")],
    ["unflagged", t("not flagged")],
  ],
  in: ({ folders }) =>
    folders
      .filter(({ selectable }) => selectable)
      .map((folder) => [folder.role ?? folder.path, folder.role === null ? "" : folderName(folder)]),
  label: ({ labels }) => labels.map((label) => [label, ""]),
  after: ({ now }) => days(now),
  before: ({ now }) => days(now),
};

const days = (now: number): ReadonlyArray<Value> =>
  DAYS.map(([ago, name]) => [new Date(now - ago * DAY_MILLIS).toISOString().slice(0, 10), t(name)]);

/**
 * Returns the completions of the typed text: earlier searches for an empty text, otherwise operators and their values.
 */
export const completions = (typed: string, known: Known): ReadonlyArray<Completion> => {
  if (typed.trim() === "") {
    return known.earlier.map((search) => ({ search, name: search, hint: t("earlier search"), isWhole: true }));
  }
  const [, before = "", operator, start = ""] = /^(.*?)(?:(?<=^|\s)-?([a-z]+):)?("[^"]*|\S*)$/isu.exec(typed) ?? [];
  const wanted = start.replace('"', "").toLowerCase();
  if (operator === undefined) {
    const named = [...OPERATORS].filter(([name]) => wanted !== "" && name.startsWith(wanted));
    return named.map(([name, hint]) => ({
      search: `${before}${name}:`,
      name: `${name}:`,
      hint: t(hint),
      isWhole: false,
    }));
  }
  const name = operator.toLowerCase();
  const found = (VALUES[name]?.(known) ?? []).filter(
    ([value, hint]) =>
      value.toLowerCase() !== wanted && [value, hint].some((text) => text.toLowerCase().includes(wanted)),
  );
  const head = typed.slice(0, typed.length - start.length);
  return found.slice(0, MAX_SHOWN).map(([value, hint]) => ({
    search: `${head}${quoted(value)} `,
    name: `${name}:${value}`,
    hint,
    isWhole: false,
  }));
};
