const MAX_LENGTH = 4096;

/** Nothing is left over in the last letter, so each run of bytes has one spelling; libraries are more lenient. */
const SEGMENT = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;

/** Whether a text could be a token at all (spec 3): at most 4 KiB, three segments of strict base64url. */
export const hasTokenForm = (text: string): boolean => {
  if (text.length > MAX_LENGTH) return false;
  const segments = text.split(".");
  return segments.length === 3 && segments.every((segment) => segment !== "" && SEGMENT.test(segment));
};
