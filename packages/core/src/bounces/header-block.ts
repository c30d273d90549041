import type { HeaderField } from "../mail/index.ts";

const FIELD = /^[ \t]{0,8}>?[ \t]{0,2}([A-Za-z][A-Za-z0-9-]{1,60})[ \t]{0,4}:(.*)$/;
const MAX_FIELDS = 300;

/** Returns the header field that begins on a line; null if no field does. */
export const fieldOf = (line: string): HeaderField | null => {
  const found = FIELD.exec(line.slice(0, 2_000));
  return found === null ? null : [found[1]!, found[2]!.trim()];
};

/** Splits text into blocks of unfolded fields at empty lines; a line that is not a field continues the previous one. */
export const fieldBlocks = (text: string): ReadonlyArray<ReadonlyArray<HeaderField>> => {
  const blocks: Array<Array<HeaderField>> = [[]];
  let count = 0;
  for (const line of text.split(/\r\n|[\r\n]/)) {
    const block = blocks.at(-1)!;
    if (line.trim() === "") {
      if (block.length > 0) blocks.push([]);
      continue;
    }
    const last = block.at(-1);
    const field = /^[ \t]/.test(line) && last !== undefined ? null : fieldOf(line);
    if (field !== null) {
      if (++count > MAX_FIELDS) break;
      block.push(field);
    } else if (last !== undefined && last[1].length < 2_000)
      block[block.length - 1] = [last[0], `${last[1]} ${line.trim()}`];
  }
  return blocks.filter((block) => block.length > 0);
};

/** Field names that only occur in a message header. */
const HEADER_ONLY =
  /^(received|return-path|message-id|mime-version|dkim-signature|delivered-to|content-type|x-mailer|content-transfer-encoding)$/i;
const LETTER = /^(from|to|subject|date|cc|reply-to)$/i;

/** Returns whether a field name is known. Notices often end in labels (`Reason: …`) directly above the header. */
const isKnown = (name: string): boolean =>
  HEADER_ONLY.test(name) ||
  LETTER.test(name) ||
  /^(?:x|arc|dkim|list|authentication|in-reply|sender|thread|user)\b/i.test(name);

/**
 * Returns the first line of a header, or -1. A header is a run of at least three fields, including one that only
 * headers have.
 */
export const headerStart = (lines: ReadonlyArray<string>): number => {
  let start = -1;
  let headerOnly = 0;
  let letter = 0;
  for (let n = 0; n < lines.length; n++) {
    const line = lines[n]!;
    const field = fieldOf(line);
    if (field !== null && (start !== -1 || isKnown(field[0]))) {
      if (start === -1) start = n;
      if (HEADER_ONLY.test(field[0])) headerOnly++;
      if (LETTER.test(field[0])) letter++;
      if (headerOnly >= 1 && headerOnly + letter >= 3) return start;
    } else if (!(start !== -1 && /^[ \t]+\S/.test(line))) {
      start = -1;
      headerOnly = letter = 0;
    }
  }
  return -1;
};
