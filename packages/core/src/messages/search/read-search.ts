import { Result } from "effect";
import type { InputInvalid } from "../../shared/index.ts";
import { isDay, isMoment } from "../../shared/rules.ts";
import type { SearchTerm } from "../SearchCriteria.ts";

/** The criteria in a search in one line (spec 5.4). */
export interface WrittenSearch {
  readonly from?: string;
  readonly to?: string;
  readonly cc?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly label?: string;
  /** The role, id, path or name of a folder. */
  readonly folder?: string;
  readonly since?: string;
  readonly before?: string;
  readonly unread?: boolean;
  readonly flagged?: boolean;
  readonly hasAttachments?: boolean;
  /** Texts that must occur and for which none of the fields above exists, and texts that must not occur. */
  readonly terms?: ReadonlyArray<SearchTerm>;
}

/** An optional minus, an optional operator (but not the scheme of a URL), and a phrase or a word. */
const PART = /(-?)(?:([a-z][a-z-]*):(?!\/\/))?(?:["“]([^"”]*)["”]?|(\S*))\s*/giu;

const TEXTS: ReadonlyArray<string> = ["from", "to", "cc", "subject"] satisfies ReadonlyArray<SearchTerm["field"]>;
const OPERATORS = "from:, to:, cc:, subject:, has:, in:, before:, after:, is: and label:";

/** Returns the criteria of a search in one line, or the faults of its parts. */
export const readSearch = (q: string): Result.Result<WrittenSearch, InputInvalid["errors"]> => {
  const search: Record<string, string | boolean> = {};
  const terms: Array<SearchTerm> = [];
  const faults: Array<InputInvalid["errors"][number]> = [];
  const fault = (message: string) => void faults.push({ field: "q", message });

  const addText = (field: string, text: string, isExcluded: boolean): void => {
    if (!isExcluded && search[field] === undefined) search[field] = text;
    else terms.push({ field: field as SearchTerm["field"], text, isExcluded });
  };
  const addOperator = (operator: string, value: string, isExcluded: boolean): void => {
    if (value === "") return fault(`${operator}: needs a value`);
    if (TEXTS.includes(operator)) return addText(operator, value, isExcluded);
    const read = READERS.get(operator);
    if (read === undefined) return fault(`${operator}: is no operator. The operators are ${OPERATORS}`);
    if (isExcluded) return fault(`${operator}: must not follow a minus`);
    const [name, wanted] = read(value) ?? [];
    if (name === undefined || wanted === undefined) return fault(`${operator}: must be ${FORMS[operator]}`);
    if (search[name] !== undefined && search[name] !== wanted) return fault(`${operator}: is given twice`);
    search[name] = wanted;
  };

  for (const [part, minus, operator, phrase, word] of q.trim().matchAll(PART)) {
    if (part === "") continue;
    const value = (phrase ?? word ?? "").trim();
    if (operator !== undefined) addOperator(operator.toLowerCase(), value, minus === "-");
    else if (value !== "") addText("text", value, minus === "-");
  }
  if (faults.length === 0 && terms.length === 0 && Object.keys(search).length === 0) fault("must have a word");
  if (faults.length > 0) return Result.fail(faults);
  return Result.succeed(terms.length === 0 ? search : { ...search, terms });
};

type Criterion = readonly [name: Exclude<keyof WrittenSearch, "terms">, wanted: string | boolean];

const STATES: ReadonlyMap<string, Criterion> = new Map([
  ["unread", ["unread", true]],
  ["read", ["unread", false]],
  ["flagged", ["flagged", true]],
  ["unflagged", ["flagged", false]],
]);

/** Returns the first instant of a day, which is in UTC unless it has an offset; returns an instant unchanged. */
const momentOf = (value: string): string | undefined => {
  const [, day = "", offset = "Z"] = /^(\d{4}-\d\d-\d\d)(Z|[+-]\d\d:\d\d)?$/i.exec(value) ?? [];
  const moment = isDay(day) ? `${day}T00:00:00${offset.toUpperCase()}` : value;
  return isMoment(moment) ? moment : undefined;
};

const READERS: ReadonlyMap<string, (value: string) => Criterion | undefined> = new Map([
  ["in", (folder) => ["folder", folder]],
  ["label", (label) => ["label", label]],
  ["is", (state) => STATES.get(state.toLowerCase())],
  ["has", (part) => (/^attachments?$/i.test(part) ? ["hasAttachments", true] : undefined)],
  ["after", (day) => timed("since", day)],
  ["before", (day) => timed("before", day)],
]);

const timed = (name: "since" | "before", day: string): Criterion | undefined => {
  const moment = momentOf(day);
  return moment === undefined ? undefined : [name, moment];
};

const DAY_FORM = "a day such as 2026-03-01 or 2026-03-01+02:00";
const FORMS: Readonly<Record<string, string>> = {
  is: "is:unread, is:read, is:flagged or is:unflagged",
  has: "has:attachment",
  after: DAY_FORM,
  before: DAY_FORM,
};
