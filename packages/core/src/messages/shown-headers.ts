/** Characters of a header field that are shown: a message to a crowd names all recipients in one. */
const MAX_HEADER_CHARS = 16_384;

/** Returns the value of a header field as far as it is shown. */
export const shownHeader = (value: string): string => value.slice(0, MAX_HEADER_CHARS);

/** Whether more of a header field was there than is shown. */
export const isHeaderCut = (value: string): boolean => value.length > MAX_HEADER_CHARS;
