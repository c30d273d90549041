/** Characters of a header field that are shown: a message with many recipients names them all in one field. */
const MAX_HEADER_CHARS = 16_384;

/** Returns the value of a header field as far as it is shown. */
export const cutHeader = (value: string): string => value.slice(0, MAX_HEADER_CHARS);
