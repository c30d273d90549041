/** Values that are the colour of the page. */
const PAGE_COLOURS = new Set(
  "|inherit|initial|unset|revert|revert-layer|transparent|none|auto|currentcolor|windowtext|canvastext|canvas".split(
    "|",
  ),
);

const setsColour = (style: CSSStyleDeclaration): boolean =>
  ["color", "background", "background-color", "background-image"].some(
    (name) => !PAGE_COLOURS.has(style.getPropertyValue(name).toLowerCase()),
  );

/** Returns whether a rule, or a nested rule, sets a colour of an element of the page. */
const ruleSetsColour = (rule: CSSRule, page: Document): boolean => {
  const { style, selectorText, cssRules } = rule as Partial<CSSStyleRule>;
  if (
    style !== undefined &&
    selectorText !== undefined &&
    setsColour(style) &&
    page.querySelector(selectorText) !== null
  )
    return true;
  return [...(cssRules ?? [])].some((inner) => ruleSetsColour(inner, page));
};

/** Returns whether the message in a frame's page sets colours of texts or backgrounds (spec 15.7). */
export const hasOwnColours = (page: Document): boolean =>
  page.body.querySelector("[bgcolor], [color]") !== null ||
  [...page.body.querySelectorAll<HTMLElement>("[style]")].some(({ style }) => setsColour(style)) ||
  [...page.body.querySelectorAll("style")].some(({ sheet }) =>
    [...(sheet?.cssRules ?? [])].some((rule) => ruleSetsColour(rule, page)),
  );
