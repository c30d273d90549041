/** Returns up to `most` characters from the beginning of a text, without a word that the limit would cut. */
export const wholeWords = (text: string, most: number): string => {
  if (text.length <= most) return text;
  let end = most;
  if (/\S/.test(text.charAt(most))) while (end > 0 && /\S/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
};
