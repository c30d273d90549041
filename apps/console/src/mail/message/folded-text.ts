import type { Message } from "../emails/message.ts";

/** A text in two parts: the new text, and the rest with the quoted history (null if there is nothing to fold). */
export interface FoldedText {
  readonly shown: string;
  readonly folded: string;
}

/** Splits the text of a message at the beginning of its quoted history, if the rest has no new text. */
export const foldedText = ({ text, newText, quotedText }: Message): FoldedText | null => {
  if (text === null || newText === null || quotedText === null || quotedText.trim() === "") return null;
  const shown = newText.trimEnd();
  return shown.trim() !== "" && text.startsWith(shown) ? { shown, folded: text.slice(shown.length).trim() } : null;
};

const removeSpaces = (text: string | null): string => (text ?? "").replaceAll(/\s+/g, "");

/**
 * Hides the last quote of a message's HTML and everything below it, if all of the new text stays in view. Returns a
 * function that shows them again; undefined if nothing was hidden.
 */
export const hideQuote = (body: HTMLElement, newText: string): (() => void) | undefined => {
  const quotes = [...body.querySelectorAll<HTMLElement>("blockquote, .gmail_quote")];
  const quote = quotes.findLast((one) => one.parentElement?.closest("blockquote, .gmail_quote") == null);
  const wanted = removeSpaces(newText);
  if (quote === undefined || wanted === "") return undefined;
  quote.hidden = true;
  if (removeSpaces(body.innerText).includes(wanted)) return () => (quote.hidden = false);
  quote.hidden = false;
  return undefined;
};
