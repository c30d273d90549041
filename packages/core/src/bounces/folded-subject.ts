import { type HeaderField, headerOf } from "../mail/index.ts";
import { foldText } from "./text-folding.ts";

const MAX_SUBJECT_CHARS = 500;

/** Returns the subject of a message in the form in which rules compare it. */
export const foldedSubject = (headers: ReadonlyArray<HeaderField>): string =>
  foldText(headerOf(headers, "Subject").slice(0, MAX_SUBJECT_CHARS));
