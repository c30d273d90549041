/** Returns the beginning of a text, without the word that ends after `most` characters. */
export const wholeWords = (text: string, most: number): string => {
  if (text.length <= most) return text;
  let end = most;
  if (/\S/.test(text.charAt(most))) while (end > 0 && /\S/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
};
