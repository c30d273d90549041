/** Returns the key by which spellings of an address are compared: without brackets, in lower case and NFC. */
export const addressKey = (address: string): string =>
  address.trim().replaceAll(/^<|>$/g, "").normalize("NFC").toLowerCase();
