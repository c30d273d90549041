/** Bytes in one call of `String.fromCharCode`, which takes each as an argument. */
const BYTES_AT_ONCE = 4_096;

/** Returns bytes as a text with one character for each (ISO 8859-1). */
export const latin1Text = (bytes: Uint8Array): string => {
  let text = "";
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) {
    // Passes the array-like to one call, which is ten times as fast as converting each byte.
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + BYTES_AT_ONCE) as unknown as Array<number>);
  }
  return text;
};
