// The texts of the console in all languages, compiled by the build so that browsers need no parser.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import compile from "icu-minify/compile";
import type { Plugin } from "vite";

export { compile };

const TEXTS = join(import.meta.dirname, "src/texts");
const SOURCES = join(import.meta.dirname, "src/");
const LANGUAGE = join(TEXTS, "language.ts");
const NAME = /^virtual:texts\/(de|fr|ar)$/;

/** The texts of react-aria in a language that the console has not. */
const FOREIGN =
  /\/react-(?:aria|stately|aria-components)\/dist\/(?:.*\/)?intl\/(?:.*\/)?(?!(?:en|de|fr|ar)-)[a-z]{2}-[A-Z]{2}\.mjs$/;
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

/** Returns the English sources that must be filled in: every other source is its own text. */
const filledSources = (): ReadonlyArray<string> =>
  Object.keys(translationsOf("de")).filter((source) => WITH_SYNTAX.test(source));

const compiled = (texts: ReadonlyArray<readonly [source: string, text: string]>): string => {
  const messages = Object.fromEntries(texts.map(([source, text]) => [source, compile(text)]));
  // A browser parses a string as JSON faster than an object of the same contents.
  return `JSON.parse(${JSON.stringify(JSON.stringify(messages))})`;
};

/**
 * Provides `virtual:texts/de`: the compiled messages of a language by their English sources. Those of English are in the
 * modules that use them, so that a page loads no others. Leaves out the texts of react-aria in other languages.
 */
export const catalogue = (): Plugin => {
  const left = new Set(filledSources());
  return {
    name: "catalogue",
    enforce: "pre",
    resolveId: (id) => (NAME.test(id) ? `\0${id}` : undefined),
    load(id) {
      if (FOREIGN.test(id)) return "export default {};";
      const language = NAME.exec(id.slice(1))?.[1];
      if (language === undefined) return undefined;
      for (const file of globSync("*/*.json", { cwd: TEXTS })) this.addWatchFile(join(TEXTS, file));
      return `export default ${compiled(Object.entries(translationsOf(language)))};`;
    },
    transform(code, id) {
      if (!id.startsWith(SOURCES)) return undefined;
      const sources = filledSources().filter((source) => code.includes(JSON.stringify(source)));
      if (sources.length === 0) return undefined;
      for (const source of sources) left.delete(source);
      const messages = compiled(sources.map((source) => [source, source.replace(MEANING, "")]));
      return {
        code: `${code}\nimport { addEnglish as $addEnglish } from ${JSON.stringify(LANGUAGE)};\n$addEnglish(${messages});\n`,
        map: null,
      };
    },
    generateBundle() {
      if (left.size > 0) this.error(`No module has the texts ${[...left].join(", ")}.`);
    },
  };
};
