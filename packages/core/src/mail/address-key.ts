/** Returns the key by which spellings of an address are compared: no brackets, lower case, NFC. */
export const addressKey = (address: string): string =>
  address.trim().replaceAll(/^<|>$/g, "").normalize("NFC").toLowerCase();
