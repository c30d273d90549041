/** How many characters of a header field are shown. A message with many recipients names them all in one field. */
const MAX_HEADER_CHARS = 16_384;

/** Returns the shown part of a header field's value. */
export const cutHeader = (value: string): string => value.slice(0, MAX_HEADER_CHARS);
