import format, { type FormatValues } from "icu-minify/format";
import { createElement, Fragment, type ReactNode } from "react";
import { formatters } from "./formats.ts";
import { currentLocale, messageOf } from "./language.ts";
import type { Text } from "./mark-text.ts";

export { markText, type Text } from "./mark-text.ts";

type Source<S extends string> = string extends S ? Text : S;

type Chunks = ReadonlyArray<ReactNode>;

/** The suffix that distinguishes texts with equal English words, as in `Archive [folder]`; English texts omit it. */
const MEANING = / \[[^\]]+\]$/;

const fillIn = <A>(source: string, values?: FormatValues<A>) => {
  const message = messageOf(source);
  return message === source ? source.replace(MEANING, "") : format(message, currentLocale(), values, { formatters });
};

/** Returns a text in the shown language. The source is ICU MessageFormat in English; `values` fill it in. */
export const t = <S extends string>(source: Source<S>, values?: FormatValues<never>): string =>
  fillIn(source, values) as string;

/** Returns a text with elements: `values.b` creates the element for `<b>` in the source from its content. */
export const rich = <S extends string>(
  source: Source<S>,
  values: Readonly<Record<string, string | number | ((chunks: Chunks) => ReactNode)>>,
): ReactNode => {
  const made = fillIn<ReactNode>(source, values as FormatValues<ReactNode>);
  return Array.isArray(made) ? createElement(Fragment, null, ...made) : (made as ReactNode);
};
