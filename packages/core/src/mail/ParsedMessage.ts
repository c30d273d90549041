/** A header field: its name as written, its value unfolded and decoded to Unicode. */
export type HeaderField = readonly [name: string, value: string];

/** A leaf of a message's MIME tree, or one nested message. */
export interface MessagePart {
  /** Lower-case media type without parameters, such as `message/delivery-status`. */
  readonly type: string;
  /** Decoded text of at most {@link PART_TEXT_LIMIT} characters; empty where the part is not text. */
  readonly text: string;
  /** What a `message/rfc822` part (or one holding only its headers) contains. */
  readonly message: ParsedMessage | null;
}

/**
 * A message as a MIME parser hands it to the recogniser: bounded, decoded and free of any library's words. Fields and
 * parts come in the order of the message.
 */
export interface ParsedMessage {
  readonly headers: ReadonlyArray<HeaderField>;
  readonly parts: ReadonlyArray<MessagePart>;
}

/** Characters of one part that are looked at; a parser need not decode more. */
export const PART_TEXT_LIMIT = 65_536;

/** Parts of one message that are looked at. */
export const PART_LIMIT = 50;

/** Levels of nested messages that are worth parsing: the report, what it returns, and no more. */
export const NESTING_LIMIT = 2;

/** The first field of a name, trimmed; empty where there is none. */
export const headerOf = (headers: ReadonlyArray<HeaderField>, name: string): string => {
  const wanted = name.toLowerCase();
  return headers.find(([key]) => key.toLowerCase() === wanted)?.[1].trim() ?? "";
};

/** Every value of a name, in order. */
export const headersOf = (headers: ReadonlyArray<HeaderField>, name: string): ReadonlyArray<string> => {
  const wanted = name.toLowerCase();
  return headers.flatMap(([key, value]) => (key.toLowerCase() === wanted ? [value.trim()] : []));
};

export const hasHeader = (headers: ReadonlyArray<HeaderField>, name: string): boolean => {
  const wanted = name.toLowerCase();
  return headers.some(([key]) => key.toLowerCase() === wanted);
};
