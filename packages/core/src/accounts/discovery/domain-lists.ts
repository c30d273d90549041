/** Splits a list of domains at its spaces. */
export const domainsIn = (text: string): ReadonlyArray<string> => text.split(" ");

/** Returns a provider's domains, one for each of the suffixes in a list separated by spaces. */
export const domainsOf = (name: string, suffixes: string): ReadonlyArray<string> =>
  domainsIn(suffixes).map((suffix) => `${name}.${suffix}`);
