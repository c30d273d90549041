/** What `data` of an event is made of: one level of fields, and lists of texts. */
export type DataFields = Readonly<Record<string, string | number | boolean | null | undefined | ReadonlyArray<string>>>;

/** A body never exceeds this, whatever a mail says (spec 7): the bounds below add up to less. */
export const MAX_BODY_BYTES = 64 * 1024;

/** UTF-16 units; a unit takes at most six bytes of JSON in UTF-8. */
const MOST_CHARACTERS: Readonly<Record<string, number>> = {
  subject: 998,
  messageId: 998,
  diagnosticCode: 998,
  userAgent: 512,
  folder: 1024,
  path: 1024,
};
const OTHERWISE = 320;
const LIST_LENGTH = 50;
const LIST_BYTES = 16 * 1024;

/** In every runtime, but not in the types of the language alone. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const jsonBytes = (text: string): number => new TextEncoder().encode(JSON.stringify(text)).length;

/** Well-formed text of at most so many units, with no half of a character at its end; NUL, which many stores refuse, is replaced. */
const boundedText = (text: string, most: number): string => {
  const cut =
    text.length > most ? text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most) : text;
  return cut.toWellFormed().replaceAll("\0", "\uFFFD");
};

/** As many as fit: at most fifty, and at most 16 KiB of JSON. */
const boundedList = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  let bytes = 0;
  const bounded = texts.slice(0, LIST_LENGTH).map((text) => boundedText(text, OTHERWISE));
  const first = bounded.findIndex((text) => (bytes += jsonBytes(text) + 1) > LIST_BYTES);
  return first === -1 ? bounded : bounded.slice(0, first);
};

/** The fields of an event cut to their bounds, with `truncated: true` where anything was left out (spec 7). */
export const boundedData = (data: DataFields): DataFields => {
  let truncated = false;
  const fields = Object.entries(data).map(([name, value]): [string, DataFields[string]] => {
    if (typeof value === "string") {
      const most = MOST_CHARACTERS[name] ?? OTHERWISE;
      truncated ||= value.length > most;
      return [name, boundedText(value, most)];
    }
    if (typeof value !== "object" || value === null) return [name, value];
    const list = boundedList(value);
    truncated ||= list.length < value.length || value.some((text) => text.length > OTHERWISE);
    return [name, list];
  });
  return { ...Object.fromEntries(fields), ...(truncated ? { truncated } : {}) };
};
