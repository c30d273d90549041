import { t } from "../../texts/text.ts";
const TAG = /^[^\s,:]+$/;

/** Returns the tags in a text, separated by commas or spaces, each once. */
export const tagsOf = (text: string): ReadonlyArray<string> => [
  ...new Set(text.split(/[\s,]+/).filter((tag) => tag !== "")),
];

/** Returns the fault of the tags in a text, if there is one. */
export const tagsFault = (text: string): string | undefined =>
  tagsOf(text).every((tag) => TAG.test(tag)) ? undefined : t("A tag must not have a colon.");
