/** A text without its history, and the history; either may be empty. */
export interface SplitText {
  readonly newText: string;
  readonly quotedText: string;
}

/** `On … wrote:` in the languages of common mail programs, on one line or continued on up to two more. */
const ATTRIBUTION =
  /^(?:on|am|le|el|il|em|op|den|w dniu|dne|p[åa]|an|pe|ons?dag|.{0,40}\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[年/-]).{0,300}(?:wrote|schrieb(?: .{1,120})?|a écrit|escribi[óo]|ha scritto|escreveu|schreef(?: .{1,120})?|skrev(?: .{1,120})?|napisał\(?a?\)?|napsal\(?a?\)?|kirjoitti|написал\(?а?\)?|пишет|写道|書きました|のメール)\s?[:：]?$/iu;

/** How a line begins that may continue as an attribution. */
const MAY_BE_ATTRIBUTION = /^(?:on|am|le|el|il|em|op|den|w dniu|dne|p[åa]) /iu;

/** The line above the header of an original message, or of a forward. */
const DIVIDER =
  /^(?:-{2,}|_{5,}|={5,}) ?(?:original message|original appointment|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine|message transféré|mensaje original|mensaje reenviado|messaggio originale|mensagem original|oorspronkelijk bericht|originalmeddelande|oryginalna wiadomość)? ?(?:-{2,}|_{5,}|={5,})?$/iu;

/** A field in the header of an original message, as Outlook writes it. */
const FIELD =
  /^[*>\s]{0,4}(?:from|sent|date|to|cc|subject|von|gesendet|datum|an|betreff|de|envoyé|à|objet|enviado(?: el)?|para|asunto|da|inviato|a|oggetto|data|assunto|van|verzonden|aan|onderwerp|från|skickat|till|ämne|od|wysłano|do|temat) ?:\*? ?\S/iu;

const FROM = /^[*>\s]{0,4}(?:from|von|de|da|van|från|od) ?:/iu;

/** The author says that answers are in the quoted text. */
const ANSWERED_BELOW =
  /\b(?:in-?line|below|in (?:red|blue|green|bold)|see (?:my )?(?:comments|answers)|between the lines|interspersed|siehe unten|unten|(?:rot|blau) markiert|ci-dessous|en rouge|abajo|en rojo|sotto|in rosso)\b/iu;

const SIGNATURE = /^-- ?$/;
const MOST_SIGNATURE_LINES = 12;
const DEVICE =
  /^(?:sent from my |sent via |get outlook for |von meinem .{1,60} gesendet|envoyé de mon |enviado desde mi )/iu;

const isQuote = (line: string): boolean => line.startsWith(">");
const isBlank = (line: string): boolean => line.trim() === "";

/**
 * Splits a text into what its author wrote and the history below or above it (spec 12.3). Answers within quoted text are
 * never cut off: where text follows a quoted part, or it is not certain what is quoted, nothing is cut. The signature
 * is in neither part.
 */
export const splitQuoted = (text: string): SplitText => {
  const lines = text.replaceAll(/\r\n?/g, "\n").split("\n");
  const uncut = { newText: withoutSignature(lines), quotedText: "" };
  const start = historyStart(lines);
  if (start === undefined) return uncut;
  const [above, history] = [lines.slice(0, start), lines.slice(start)];
  if (!above.every(isBlank)) {
    return ANSWERED_BELOW.test(above.join("\n"))
      ? uncut
      : { newText: withoutSignature(above), quotedText: history.join("\n").trim() };
  }
  // The history comes first: what follows one quoted block is the answer.
  const end = history.findLastIndex(isQuote) + 1;
  const below = history.slice(end);
  const quoted = history.slice(0, end);
  const isOneBlock = quoted.slice(quoted.findIndex(isQuote)).every((line) => isQuote(line) || isBlank(line));
  return end > 0 && isOneBlock && !below.every(isBlank)
    ? { newText: withoutSignature(below), quotedText: quoted.join("\n").trim() }
    : uncut;
};

/** Returns the line where the history begins; undefined if there is none, or answers are in it. */
const historyStart = (lines: ReadonlyArray<string>): number | undefined => {
  const lastWords = lines.findLastIndex((line) => !isBlank(line));
  const firstQuote = lines.findIndex(isQuote);
  for (const [n, line] of lines.entries()) {
    if (DIVIDER.test(line.trim()) && isHeader(lines, nextWords(lines, n + 1))) return n;
    if (FROM.test(line) && isHeader(lines, n)) return n;
    if (n === firstQuote) break;
  }
  if (firstQuote === -1) return undefined;
  const start = attributionAbove(lines, firstQuote) ?? firstQuote;
  const isTop = lines.slice(0, start).every(isBlank);
  if (isTop) return start;
  const rest = lines.slice(firstQuote, lastWords + 1);
  const lastQuote = rest.findLastIndex(isQuote);
  const isUnbroken = rest.slice(0, lastQuote + 1).every((line) => isQuote(line) || isBlank(line));
  return isUnbroken && isSignature(rest.slice(lastQuote + 1)) ? start : undefined;
};

/** Returns the next line that is not blank, of those close to it. */
const nextWords = (lines: ReadonlyArray<string>, from: number): number => {
  const at = lines.slice(from, from + 4).findIndex((line) => !isBlank(line));
  return at === -1 ? lines.length : from + at;
};

/** Whether the header of an original message begins at a line: at least three fields, close together. */
const isHeader = (lines: ReadonlyArray<string>, at: number): boolean => {
  const some = lines.slice(at, at + 8).filter((line) => !isBlank(line));
  return FIELD.test(some[0] ?? "") && some.filter((line) => FIELD.test(line)).length >= 3;
};

/** Returns the first line of the attribution right above a quoted part. */
const attributionAbove = (lines: ReadonlyArray<string>, quote: number): number | undefined => {
  const last = lines.slice(0, quote).findLastIndex((line) => !isBlank(line));
  if (last === -1 || quote - last > 3) return undefined;
  for (let first = last; first >= Math.max(0, last - 2); first--) {
    const joined = lines
      .slice(first, last + 1)
      .map((line) => line.trim())
      .join(" ");
    if (joined.length <= 600 && ATTRIBUTION.test(joined) && (first === last || MAY_BE_ATTRIBUTION.test(joined)))
      return first;
  }
  return undefined;
};

const isSignature = (lines: ReadonlyArray<string>): boolean => {
  const words = lines.filter((line) => !isBlank(line));
  return (
    words.length === 0 ||
    (SIGNATURE.test(words[0]!) && words.length <= MOST_SIGNATURE_LINES) ||
    (words.length === 1 && DEVICE.test(words[0]!))
  );
};

/** Returns the text without a signature at its end. */
const withoutSignature = (lines: ReadonlyArray<string>): string => {
  const at = lines.findLastIndex((line) => SIGNATURE.test(line));
  const body = at !== -1 && isSignature(lines.slice(at)) ? lines.slice(0, at) : lines;
  const last = body.findLastIndex((line) => !isBlank(line));
  const kept = last >= 0 && DEVICE.test(body[last]!.trim()) ? body.slice(0, last) : body;
  const text = kept.join("\n").trim();
  return text === "" ? lines.join("\n").trim() : text;
};
