/** A Range header (RFC 9110, 14): the first and last byte, both inclusive, or the number of last bytes. */
export type ByteRange = { readonly from: number; readonly to: number | null } | { readonly last: number };

/**
 * Parses a header with one range of bytes. Returns undefined for a missing header and for any other value; the request
 * then gets the whole content.
 */
export const byteRange = (header: string | undefined): ByteRange | undefined => {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (first === "") return last === "" ? undefined : { last: Number(last) };
  if (last !== "" && Number(last) < Number(first)) return undefined;
  return { from: Number(first), to: last === "" ? null : Number(last) };
};

/** Returns the part of `size` bytes that a range selects; undefined if the range lies outside of these bytes. */
export const slice = (range: ByteRange, size: number): { readonly from: number; readonly to: number } | undefined => {
  if ("last" in range)
    return range.last === 0 || size === 0 ? undefined : { from: Math.max(0, size - range.last), to: size - 1 };
  return range.from >= size ? undefined : { from: range.from, to: Math.min(range.to ?? Infinity, size - 1) };
};
