/** The languages of the pages that the service itself writes. */
export type PageLanguage = "en" | "de" | "fr" | "ar";

/** The language of a page, and the direction of its lines. */
export interface PageTongue {
  readonly lang: PageLanguage;
  readonly dir: "ltr" | "rtl";
}

const TONGUES: ReadonlyArray<PageTongue> = [
  { lang: "en", dir: "ltr" },
  { lang: "de", dir: "ltr" },
  { lang: "fr", dir: "ltr" },
  { lang: "ar", dir: "rtl" },
];

/**
 * Returns the available language with the highest weight in `Accept-Language` (RFC 9110, 12.5.4); without one English.
 */
export const acceptedLanguage = (accepted: string | undefined): PageTongue => {
  const wanted = (accepted ?? "")
    .split(",")
    .map((entry) => /^\s*([A-Za-z]+)[^;]*(?:;\s*q=([\d.]+))?/.exec(entry))
    .filter((match) => match !== null)
    .map(([, lang, weight]) => ({ lang: lang!.toLowerCase(), weight: Number(weight ?? 1) }))
    .toSorted((one, other) => other.weight - one.weight);
  return wanted.flatMap(({ lang }) => TONGUES.find((tongue) => tongue.lang === lang) ?? [])[0] ?? TONGUES[0]!;
};
