import type { Draft } from "./draft.ts";

const nameOf = (about: string): string => `postern-draft${about}`;

/** A draft lasts as long as its tab, whatever page is looked at in between. */
export const keptDraft = (about: string): Draft | null => {
  try {
    const text = sessionStorage.getItem(nameOf(about));
    return text === null ? null : (JSON.parse(text) as Draft);
  } catch {
    return null;
  }
};

export const keepDraft = (about: string, draft: Draft): void =>
  sessionStorage.setItem(nameOf(about), JSON.stringify(draft));

export const dropDraft = (about: string): void => sessionStorage.removeItem(nameOf(about));
