import type { DraftMark } from "./DraftMark.ts";

/** Returns the value of the header field that marks a copy. */
export const writeMark = ({ draftId, token }: DraftMark): string => `${draftId} ${token}`;

/** Parses the value of the header field, even if it is folded; null if it has another form. */
export const readMark = (value: string): DraftMark | null => {
  const [draftId, token, ...rest] = value.trim().split(/\s+/);
  return draftId === undefined || draftId === "" || rest.length > 0 ? null : { draftId, token: token ?? "" };
};
