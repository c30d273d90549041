import type { CompiledMessage } from "icu-minify/format";
import { useSyncExternalStore } from "react";

/** The languages of the console, by their own names. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", ar: "العربية" } as const;

export type Language = keyof typeof LANGUAGES;

type Messages = Readonly<Record<string, CompiledMessage>>;

/**
 * The English messages with placeholders. Each module adds the messages that it shows, by code that the build inserts.
 */
const english: Record<string, CompiledMessage> = {};

/** @public Called by the code that the build inserts into modules. */
export const addEnglish = (added: Messages): void => void Object.assign(english, added);

const CATALOGUES: Readonly<Record<Language, () => Promise<{ readonly default: Messages }>>> = {
  en: () => Promise.resolve({ default: english }),
  de: () => import("virtual:texts/de"),
  fr: () => import("virtual:texts/fr"),
  ar: () => import("virtual:texts/ar"),
};

const STORED = "postern-language";
const listeners = new Set<() => void>();

let shown: Language = "en";
let locale = "en";
let messages: Messages = english;
let problems: typeof import("./problem-texts.ts") | undefined;

const isLanguage = (code: string): code is Language => Object.hasOwn(LANGUAGES, code);

const languageOf = (tag: string): string => new Intl.Locale(tag).language;

/** Returns the chosen language, otherwise the browser's first language that the console has, otherwise English. */
const preferredLanguage = (): Language => {
  const chosen = localStorage.getItem(STORED) ?? "";
  return isLanguage(chosen) ? chosen : (navigator.languages.map(languageOf).find(isLanguage) ?? "en");
};

/** Loads and shows the language of this browser; English if its texts cannot be loaded. */
export const showLanguage = async (): Promise<void> => {
  const language = preferredLanguage();
  const loaded = await Promise.all([
    CATALOGUES[language](),
    language === "en" ? undefined : import("./problem-texts.ts"),
  ]).catch(() => undefined);
  shown = loaded === undefined ? "en" : language;
  messages = loaded?.[0].default ?? english;
  problems = loaded?.[1];
  // `en-GB` and `en-US` have the same texts, but different dates.
  locale = navigator.languages.find((tag) => languageOf(tag) === shown) ?? shown;
  document.documentElement.lang = shown;
  document.documentElement.dir = shown === "ar" ? "rtl" : "ltr";
  for (const listener of listeners) listener();
};

/** Shows another language; this browser remembers it. */
export const chooseLanguage = (language: Language): Promise<void> => {
  localStorage.setItem(STORED, language);
  return showLanguage();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useLanguage = (): Language => useSyncExternalStore(subscribe, () => shown);

/** Returns the language tag for the notation of dates and numbers. */
export const currentLocale = (): string => locale;

/** Returns the texts of problems; undefined in English, in which the service answers. */
export const problemTexts = (): typeof problems => problems;

/** Returns the message for an English source in the shown language. */
export const messageOf = (source: string): CompiledMessage => messages[source] ?? english[source] ?? source;
