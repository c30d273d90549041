/** A header field: the name as written, the value unfolded and decoded to Unicode. */
export type HeaderField = readonly [name: string, value: string];

/** A leaf of a message's MIME tree, or one nested message. */
export interface MessagePart {
  /** Lower-case media type without parameters, such as `message/delivery-status`. */
  readonly type: string;
  /** Decoded text of at most {@link MAX_PART_CHARS} characters; empty if the part is not text. */
  readonly text: string;
  /** The content of a `message/rfc822` or `text/rfc822-headers` part. */
  readonly message: ParsedMessage | null;
}

/** A message from the MIME parser, bounded and decoded. Fields and parts are in the order of the message. */
export interface ParsedMessage {
  readonly headers: ReadonlyArray<HeaderField>;
  readonly parts: ReadonlyArray<MessagePart>;
}

/** The number of characters of one part that are read. */
export const MAX_PART_CHARS = 65_536;

/** The number of parts of one message that are read. */
export const MAX_PARTS = 50;

/** The number of levels of nested messages that are parsed: a report, and the message that it returns. */
export const MAX_NESTING = 2;

/** Returns the first value of a field, trimmed; empty if the field is missing. */
export const headerOf = (headers: ReadonlyArray<HeaderField>, name: string): string => {
  const wanted = name.toLowerCase();
  return headers.find(([key]) => key.toLowerCase() === wanted)?.[1].trim() ?? "";
};

/** Returns all values of a field, in order. */
export const headersOf = (headers: ReadonlyArray<HeaderField>, name: string): ReadonlyArray<string> => {
  const wanted = name.toLowerCase();
  return headers.flatMap(([key, value]) => (key.toLowerCase() === wanted ? [value.trim()] : []));
};

export const hasHeader = (headers: ReadonlyArray<HeaderField>, name: string): boolean => {
  const wanted = name.toLowerCase();
  return headers.some(([key]) => key.toLowerCase() === wanted);
};
