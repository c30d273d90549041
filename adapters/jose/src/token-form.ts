const MAX_TOKEN_CHARS = 4096;

/**
 * Strict base64url with zero in the unused bits, so that each byte sequence has one notation; libraries are more
 * lenient.
 */
const SEGMENT = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;

/** Returns whether a text can be a token (spec 3): at most 4 KiB, three segments of strict base64url. */
export const hasTokenForm = (text: string): boolean => {
  if (text.length > MAX_TOKEN_CHARS) return false;
  const segments = text.split(".");
  return segments.length === 3 && segments.every((segment) => segment !== "" && SEGMENT.test(segment));
};
