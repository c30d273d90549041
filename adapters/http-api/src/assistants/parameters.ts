/**
 * Returns the parameters of a query or form; undefined if a parameter is sent twice, because its value would be
 * ambiguous (RFC 6749, 3.1).
 */
export const parametersOf = (text: string): Readonly<Partial<Record<string, string>>> | undefined => {
  const pairs = [...new URLSearchParams(text)];
  // An empty parameter counts as omitted.
  const given = pairs.filter(([, value]) => value !== "");
  return new Set(pairs.map(([name]) => name)).size === pairs.length ? Object.fromEntries(given) : undefined;
};
