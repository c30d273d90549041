/** Properties that format text and boxes without moving them elsewhere. */
const PROPERTY =
  /^(?:(?:background|border|caption|font|letter|line|list-style|margin|max|min|padding|text|white|word|overflow|table|border-(?:top|right|bottom|left))-[a-z-]+|background|border|color|direction|display|float|clear|font|height|width|line-height|list-style|margin|opacity|padding|vertical-align|unicode-bidi|quotes|visibility)$/;

/** Functions that only compute a value. */
const HARMLESS_CALL = /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|calc|min|max|clamp)$/;

const CALL = /([a-z-]*)\(/g;

/** Escapes, comments and markup, which can hide a value's meaning. */
const HIDDEN = /[\\<>@{}]|\/\*/;

/** Returns the safe declarations of a style attribute, and the number of remote references removed. */
export const safeStyle = (style: string): { readonly style: string; readonly blocked: number } => {
  const kept: Array<string> = [];
  let blocked = 0;
  for (const declaration of style.slice(0, 8192).split(";")) {
    const colon = declaration.indexOf(":");
    const property = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
    const value = declaration.slice(colon + 1).trim();
    const calls = [...value.toLowerCase().matchAll(CALL)].map(([, name]) => name!);
    if (calls.some((name) => /url|image|src/.test(name))) blocked++;
    else if (PROPERTY.test(property) && !HIDDEN.test(value) && calls.every((name) => HARMLESS_CALL.test(name)))
      kept.push(`${property}:${value}`);
  }
  return { style: kept.join(";"), blocked };
};
