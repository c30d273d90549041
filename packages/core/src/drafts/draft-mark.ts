import type { DraftMark } from "./DraftMark.ts";

/** Returns the value of the header field that marks a copy. */
export const writeMark = ({ draftId, token }: DraftMark): string => `${draftId} ${token}`;

/** Reads such a value, also a folded one; null if it is none. */
export const readMark = (value: string): DraftMark | null => {
  const [draftId, token, ...rest] = value.trim().split(/\s+/);
  return draftId === undefined || draftId === "" || rest.length > 0 ? null : { draftId, token: token ?? "" };
};
