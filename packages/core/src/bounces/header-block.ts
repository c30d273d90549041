import type { HeaderField } from "../mail/index.ts";

const FIELD = /^[ \t]{0,8}>?[ \t]{0,2}([A-Za-z][A-Za-z0-9-]{1,60})[ \t]{0,4}:(.*)$/;
const FIELD_LIMIT = 300;

/** The field a line begins, if it begins one. */
export const fieldOf = (line: string): HeaderField | null => {
  const found = FIELD.exec(line.length > 2_000 ? line.slice(0, 2_000) : line);
  return found === null ? null : [found[1]!, found[2]!.trim()];
};

/** Blocks of fields, divided by empty lines and unfolded; what is no field continues the one before it. */
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
      if (++count > FIELD_LIMIT) break;
      block.push(field);
    } else if (last !== undefined && last[1].length < 2_000)
      block[block.length - 1] = [last[0], `${last[1]} ${line.trim()}`];
  }
  return blocks.filter((block) => block.length > 0);
};

/** Names that only a message's own header has; three fields with one of them are a header. */
const TELLING =
  /^(received|return-path|message-id|mime-version|dkim-signature|delivered-to|content-type|x-mailer|content-transfer-encoding)$/i;
const LETTER = /^(from|to|subject|date|cc|reply-to)$/i;

/** A notice ends in labels of its own (`Reason: …`) right above the header as often as not. */
const isKnown = (name: string): boolean =>
  TELLING.test(name) ||
  LETTER.test(name) ||
  /^(?:x|arc|dkim|list|authentication|in-reply|sender|thread|user)\b/i.test(name);

/** Where a header begins among lines: the first of a run of at least three fields, telling ones among them. */
export const headerStart = (lines: ReadonlyArray<string>): number => {
  let start = -1;
  let fields = 0;
  let telling = 0;
  let letter = 0;
  for (let n = 0; n < lines.length; n++) {
    const line = lines[n]!;
    const field = fieldOf(line);
    if (field !== null && (start !== -1 || isKnown(field[0]))) {
      if (start === -1) start = n;
      fields++;
      if (TELLING.test(field[0])) telling++;
      if (LETTER.test(field[0])) letter++;
      if (fields >= 3 && telling >= 1 && telling + letter >= 3) return start;
    } else if (!(start !== -1 && /^[ \t]+\S/.test(line))) {
      start = -1;
      fields = telling = letter = 0;
    }
  }
  return -1;
};
