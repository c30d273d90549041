const TAG = /^[^\s,:]+$/;

/** Returns the tags of a text that separates them with commas or spaces, each once. */
export const tagsOf = (text: string): ReadonlyArray<string> => [
  ...new Set(text.split(/[\s,]+/).filter((tag) => tag !== "")),
];

/** Returns what is wrong with the tags of a text, if anything is. */
export const tagsFault = (text: string): string | undefined =>
  tagsOf(text).every((tag) => TAG.test(tag)) ? undefined : "A tag must not have a colon.";
