import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bare, calleeName, isFunction, keyName, treeOf, walk } from "../../../.config/syntax-tree.mjs";
import { compile, translationsOf } from "../catalogue.ts";

interface Node {
  readonly type: string;
  readonly [name: string]: any;
}

const SOURCES = join(import.meta.dirname, "../src");
const LANGUAGES = ["de", "fr", "ar"];
const TRANSLATORS = new Set(["t", "rich", "markText"]);

/** Attributes that people see or hear. */
const SHOWN =
  /^(?:aria-(?:label|description|roledescription|valuetext)|title|label|alt|placeholder|hint|yes|no|fault|name-shown)$/;

/** Attributes that are not shown. */
const TECHNICAL =
  /^(?:className|id|htmlFor|data-|placement|look|href|rel|type|name|autoComplete|slot|selectionMode|role|target|src|key|d|sandbox)/;

/**
 * Strings that look like texts but need no translation: names of keys and headers, and names that all languages share.
 */
const NO_TEXTS: ReadonlyArray<RegExp> = [
  /^(?:Postern|IMAP|SMTP|Google|Microsoft)$/,
  /^(?:Edge|Firefox|Opera|Chrome|Safari|Android|Windows|Linux)$/,
  /^tab here$/,
  /^import hashlib/,
  /^(?:(?:Ctrl|Enter|Escape|Home|End|Tab|Control|Shift|Meta|Alt|Delete|Backspace)(?: |$))+$/,
  /^(?:Content-[A-Z][a-z]+|Message-ID)$/,
  /^(?:Re|Fwd):$/,
];

interface Use {
  readonly at: string;
  readonly source: string;
  readonly values: ReadonlyArray<string> | null;
}

const literalsOf = (node: Node | null): ReadonlyArray<string> | null => {
  const one = bare(node) as Node | null;
  if (one?.type === "Literal" && typeof one["value"] === "string") return [one["value"]];
  if (one?.type === "TemplateLiteral" && one["expressions"].length === 0) return [one["quasis"][0].value.cooked];
  if (one?.type !== "ConditionalExpression") return null;
  const [yes, no] = [literalsOf(one["consequent"]), literalsOf(one["alternate"])];
  return yes === null || no === null ? null : [...yes, ...no];
};

const hasWords = (value: string): boolean =>
  /\p{L}{2}/u.test(value) && !NO_TEXTS.some((pattern) => pattern.test(value.trim()));

/** A sentence or a name that begins like one, not a key, code, class or path. */
const looksShown = (value: string): boolean =>
  /^\s?\p{Lu}?[\p{L}’']+(?: [\p{L}\p{N}’'(“]+)+|^\p{Lu}\p{Ll}+[.…:]?$/u.test(value) && hasWords(value);

const uses: Array<Use> = [];
const outside: Array<string> = [];
const early: Array<string> = [];

for (const file of globSync("**/*.{ts,tsx}", { cwd: SOURCES }).toSorted()) {
  const source = readFileSync(join(SOURCES, file), "utf8");
  if (/^texts\/(?!problems\/|event-meanings)/.test(file)) continue;
  walk(treeOf(source, file), (node: Node, ancestors: ReadonlyArray<Node>) => {
    const at = `${file}:${source.slice(0, node["start"]).split("\n").length}`;
    const parent = ancestors.at(-1);
    if (/^(?:ImportDeclaration|ExportAllDeclaration|ExportNamedDeclaration)$/.test(node.type) && node["source"]) {
      return false;
    }
    if (/^TS(?!As|Satisfies|NonNull)/.test(node.type)) return false;
    if (node.type === "CallExpression" && TRANSLATORS.has(calleeName(node["callee"]))) {
      const name = calleeName(node["callee"]);
      const literals = literalsOf(node["arguments"][0]);
      const given = bare(node["arguments"][1]) as Node | undefined;
      const names =
        given?.type === "ObjectExpression" ? given["properties"].map((one: Node) => keyName(one["key"])) : [];
      for (const one of literals ?? []) {
        uses.push({ at, source: one, values: name === "markText" ? null : names });
      }
      if (name !== "markText" && !ancestors.some(isFunction)) early.push(at);

      return undefined;
    }
    const isSource = ancestors.some(
      (one, n) =>
        one.type === "CallExpression" &&
        TRANSLATORS.has(calleeName(one["callee"])) &&
        (ancestors[n + 1] ?? node) === one["arguments"][0],
    );
    if (isSource) return undefined;
    if (node.type === "JSXText" && hasWords(node["value"])) outside.push(`${at} ${node["value"].trim()}`);
    const isTechnical = ancestors.some(
      (one) =>
        (one.type === "JSXAttribute" && TECHNICAL.test(String(one["name"].name))) ||
        // No page shows the message of an exception.
        (one.type === "NewExpression" && /^(?:Error|DOMException)$/.test(calleeName(one["callee"]))),
    );
    const isTested = parent?.type === "BinaryExpression" && parent["operator"] === "in";
    if (isTechnical || isTested) return undefined;
    const isText = (node.type === "Literal" && typeof node["value"] === "string") || node.type === "TemplateElement";
    if (!isText) return undefined;
    const value: string = node.type === "Literal" ? node["value"] : node["value"].cooked;
    if (parent?.type === "JSXAttribute") {
      const name = String(parent["name"].name);
      if ((SHOWN.test(name) || looksShown(value)) && hasWords(value)) {
        outside.push(`${at} ${name}=${value}`);
      }
      return undefined;
    }
    const isKey = parent?.type === "Property" && parent["key"] === node && parent["value"] !== node;
    if (!isKey && looksShown(value)) outside.push(`${at} ${value}`);
    return undefined;
  });
}

const argumentsIn = (message: unknown): ReadonlyArray<string> => {
  if (!Array.isArray(message)) return [];
  const found = new Set<string>();
  const look = (node: unknown): void => {
    if (!Array.isArray(node)) return;
    const [name, type, options] = node as [unknown, unknown, unknown];
    if (typeof name === "string") found.add(name);
    if ((type === 1 || type === 2 || type === 3) && typeof options === "object" && options !== null) {
      for (const branch of Object.values(options)) (Array.isArray(branch) ? branch : []).forEach(look);
    } else node.slice(1).forEach(look);
  };
  message.forEach(look);
  return [...found].toSorted();
};

test("every text that the pages show is in the catalogues [S15.9-6]", () => {
  expect(outside).toEqual([]);
});

test("a text is translated when it is shown, not when its module is loaded", () => {
  expect(early).toEqual([]);
});

test("each text gets exactly the values that its source names", () => {
  const wrong = uses.flatMap(({ at, source, values }) => {
    const named = argumentsIn(compile(source));
    return values === null || `${named}` === `${values.toSorted()}` ? [] : [`${at} ${source}: ${named} / ${values}`];
  });
  expect(wrong).toEqual([]);
});

test.for(LANGUAGES)("%s has a translation of each source, with its values, and no other", (language) => {
  const translations = translationsOf(language) as Readonly<Record<string, string>>;
  const sources = new Set(uses.map(({ source }) => source));
  expect(
    [...sources].filter((source) => !Object.hasOwn(translations, source)),
    `missing: translate them in a file of apps/console/src/texts/${language}`,
  ).toEqual([]);
  expect(
    Object.keys(translations).filter((source) => !sources.has(source)),
    `unused: remove them from the files of apps/console/src/texts/${language}`,
  ).toEqual([]);
  const wrong = Object.entries(translations).filter(
    ([source, translation]) =>
      translation.trim() === "" || `${argumentsIn(compile(source))}` !== `${argumentsIn(compile(translation))}`,
  );
  expect(wrong).toEqual([]);
});

test.for(LANGUAGES)("%s has each source in one file; sources of several parts are in ui.json", (language) => {
  const files = globSync(`texts/${language}/*.json`, { cwd: SOURCES });
  const sources = files.flatMap((file) => Object.keys(JSON.parse(readFileSync(join(SOURCES, file), "utf8")) as object));
  expect(sources.filter((source, n) => sources.indexOf(source) < n)).toEqual([]);
});
