/** Returns the length of a text in UTF-8 octets; a lone surrogate counts as U+FFFD. */
export const utf8Length = (text: string): number => {
  let octets = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    octets += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
  }
  return octets;
};
