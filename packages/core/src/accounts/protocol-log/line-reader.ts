import { latin1Text } from "../../shared/neighbours.ts";

/** A line of a stream of bytes, or a part of one between two literals (RFC 9051, 4.3). */
export interface StreamLine {
  /** The line as UTF-8 without its line break, shortened if it is very long. */
  readonly text: string;
  /** The number of bytes of the line, without the line break. */
  readonly bytes: number;
  /** The size of the literal before this part; null if the line starts here. */
  readonly afterLiteral: number | null;
}

/** The number of characters of a line that are read; the rest is only counted. */
const MAX_LINE_CHARS = 16_384;
/** The maximum length of the announcement of a literal. */
const TAIL = 24;
const LITERAL = /\{(\d{1,15})\+?\}\r?$/;
const LINE_FEED = 10;

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

const textOf = (binary: string): string =>
  new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0)));

/**
 * Returns a function that takes the chunks of a stream and calls `take` with each line. Skips the contents of literals
 * without keeping them. `unfinished` is the number of bytes received of an incomplete line or literal.
 */
export const lineReader = (withLiterals: boolean, take: (line: StreamLine) => void) => {
  let start = "";
  let tail = "";
  let bytes = 0;
  let afterLiteral: number | null = null;
  let literalLeft = 0;

  const add = (part: Uint8Array): void => {
    if (start.length < MAX_LINE_CHARS) start += latin1Text(part.subarray(0, MAX_LINE_CHARS - start.length));
    tail = (tail + latin1Text(part.subarray(Math.max(0, part.length - TAIL)))).slice(-TAIL);
    bytes += part.length;
  };

  const end = (): void => {
    const line = { text: textOf(start.replace(/\r$/, "")), bytes: bytes - (tail.endsWith("\r") ? 1 : 0), afterLiteral };
    const literal = withLiterals ? LITERAL.exec(tail)?.[1] : undefined;
    start = "";
    tail = "";
    bytes = 0;
    afterLiteral = literal === undefined ? null : Number(literal);
    literalLeft = afterLiteral ?? 0;
    take(line);
  };

  return {
    read: (chunk: Uint8Array): void => {
      for (let at = 0; at < chunk.length;) {
        if (literalLeft > 0) {
          const skipped = Math.min(literalLeft, chunk.length - at);
          literalLeft -= skipped;
          at += skipped;
          continue;
        }
        const lineFeed = chunk.indexOf(LINE_FEED, at);
        add(chunk.subarray(at, lineFeed === -1 ? chunk.length : lineFeed));
        if (lineFeed === -1) return;
        at = lineFeed + 1;
        end();
      }
    },
    unfinished: (): string | null => {
      if (literalLeft > 0) return `${literalLeft} of ${afterLiteral} bytes of a literal were missing`;
      return bytes > 0 ? `a line of ${bytes} bytes had no end` : null;
    },
  };
};
