import { currentLocale } from "./language.ts";

/**
 * Caches the results by arguments: a list needs hundreds of dates, and creating a format costs more than formatting all
 * of them.
 */
const cacheByArguments = <A extends ReadonlyArray<unknown>, B>(make: (...args: A) => B): ((...args: A) => B) => {
  const made = new Map<string, B>();
  return (...args) => {
    const key = JSON.stringify(args);
    const one = made.get(key) ?? make(...args);
    made.set(key, one);
    return one;
  };
};

/** The formats that messages use. */
export const formatters = {
  getDateTimeFormat: cacheByArguments(
    (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...args),
  ),
  getNumberFormat: cacheByArguments(
    (...args: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...args),
  ),
  getPluralRules: cacheByArguments(
    (...args: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...args),
  ),
};

/** Returns a format of dates in the shown language. */
export const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  formatters.getDateTimeFormat(currentLocale(), options);

/** Returns a number in the notation of the shown language. */
export const numberText = (value: number, options: Intl.NumberFormatOptions = {}): string =>
  formatters.getNumberFormat(currentLocale(), options).format(value);

/** Returns parts as a list in the shown language: `a, b and c`. */
export const listText = (parts: ReadonlyArray<string>): string =>
  new Intl.ListFormat(currentLocale(), { type: "conjunction" }).format(parts);
