/** Returns domains that are separated by spaces. */
export const domainsIn = (text: string): ReadonlyArray<string> => text.split(" ");

/** Returns a provider's domains under many suffixes, which are separated by spaces. */
export const domainsOf = (name: string, suffixes: string): ReadonlyArray<string> =>
  domainsIn(suffixes).map((suffix) => `${name}.${suffix}`);
