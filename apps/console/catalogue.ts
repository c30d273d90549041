// The texts of the console in all languages, compiled by the build so that browsers need no parser.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import compile from "icu-minify/compile";
import type { Plugin } from "vite";

export { compile };

const TEXTS = join(import.meta.dirname, "src/texts");
const NAME = /^virtual:texts\/(en|de|fr|ar)$/;
const WITH_SYNTAX = /[{<']/;
const MEANING = / \[[^\]]+\]$/;

/** Returns the translations of a language by their English sources, from the files of all parts. */
export const translationsOf = (language: string): Readonly<Record<string, string>> =>
  Object.assign(
    {},
    ...globSync(`${language}/*.json`, { cwd: TEXTS })
      .toSorted()
      .map((file) => JSON.parse(readFileSync(join(TEXTS, file), "utf8"))),
  );

/** English needs only what must be filled in: every other source is its own text. */
const textsOf = (language: string): ReadonlyArray<readonly [string, string]> =>
  language === "en"
    ? Object.keys(translationsOf("de"))
        .filter((source) => WITH_SYNTAX.test(source))
        .map((source) => [source, source.replace(MEANING, "")])
    : Object.entries(translationsOf(language));

/** Provides `virtual:texts/de`: the compiled messages of a language by their English sources. */
export const catalogue = (): Plugin => ({
  name: "catalogue",
  resolveId: (id) => (NAME.test(id) ? `\0${id}` : undefined),
  load(id) {
    const language = NAME.exec(id.slice(1))?.[1];
    if (language === undefined) return undefined;
    for (const file of globSync("*/*.json", { cwd: TEXTS })) this.addWatchFile(join(TEXTS, file));
    const messages = Object.fromEntries(textsOf(language).map(([source, text]) => [source, compile(text)]));
    // A browser parses a string as JSON faster than an object of the same contents.
    return `export default JSON.parse(${JSON.stringify(JSON.stringify(messages))});`;
  },
});
