import { type Colour, colourOf, isSameColour } from "./colour.ts";
import type { Declarations } from "./SheetRules.ts";

/** The properties of an element that decide whether a person sees its text. */
export interface ElementLook {
  /** The reason why the element and its contents are invisible; null if they may be visible. */
  readonly removed: string | null;
  readonly isVisible: boolean;
  /** The colour of the text; undefined if it is unknown. */
  readonly colour: Colour | undefined;
  /** The colour behind the text; undefined if it is unknown, as behind a picture. */
  readonly background: Colour | undefined;
  readonly fontPixels: number;
  readonly opacity: number;
}

const BLACK: Colour = { rgb: [0, 0, 0], alpha: 1 };
const WHITE: Colour = { rgb: [255, 255, 255], alpha: 1 };

/** The look of the page around a message. */
export const PAGE_LOOK: ElementLook = {
  removed: null,
  isVisible: true,
  colour: BLACK,
  background: WHITE,
  fontPixels: 16,
  opacity: 1,
};

/** The smallest readable font size. */
const MIN_FONT_PIXELS = 2;

/** The lowest opacity at which text is readable. */
const MIN_OPACITY = 0.1;

/** The position in pixels from the edge of its box at which an element is off the screen. */
const OFF_SCREEN = -200;

/** Returns the value of each property; among declarations of equal importance the last one counts. */
const valuesOf = (all: ReadonlyArray<Declarations>): ReadonlyMap<string, string> => {
  const values = new Map<string, string>();
  const important = new Set<string>();
  for (const [property, value, isImportant] of all.flat()) {
    if (important.has(property) && !isImportant) continue;
    values.set(property, value);
    if (isImportant) important.add(property);
  }
  return values;
};

/** Returns a length in pixels; undefined for a length that depends on the window. */
const pixelsOf = (value: string | undefined, emPixels: number): number | undefined => {
  const [, number, unit] = /^(-?[\d.]+)(px|pt|em|rem|ex|vw|vh|%)?$/.exec((value ?? "").trim()) ?? [];
  const length = Number(number);
  if (number === undefined || Number.isNaN(length)) return undefined;
  if (length === 0) return 0;
  const factors: Readonly<Record<string, number>> = {
    pt: 4 / 3,
    em: emPixels,
    rem: 16,
    ex: emPixels / 2,
    vw: 10,
    vh: 8,
  };
  if (unit === "%") return undefined;
  return length * (factors[unit ?? "px"] ?? 1);
};

const fontPixelsOf = (value: string | undefined, parent: number): number => {
  if (value === undefined) return parent;
  const percent = /^([\d.]+)%$/.exec(value)?.[1];
  return percent === undefined ? (pixelsOf(value, parent) ?? Math.max(parent, 10)) : (parent * Number(percent)) / 100;
};

const opacityOf = (value: string | undefined): number => {
  const [, number, percent] = /^([\d.]+)(%?)$/.exec(value ?? "") ?? [];
  return number === undefined ? 1 : Number(number) / (percent === "%" ? 100 : 1);
};

/** Returns why a box shows nothing; null if it may show something. */
const removalOf = (values: ReadonlyMap<string, string>, isHidden: boolean, font: number): string | null => {
  const size = (name: string) => pixelsOf(values.get(name), font);
  if (isHidden || values.get("display") === "none" || values.get("content-visibility") === "hidden")
    return "not_displayed";
  const clips = /hidden|clip/.test(`${values.get("overflow") ?? ""} ${values.get("overflow-y") ?? ""}`);
  const isFlat = ["height", "max-height", "width", "max-width"].some((name) => (size(name) ?? 10) <= 1);
  const clip = `${values.get("clip") ?? ""} ${values.get("clip-path") ?? ""}`;
  if (
    (clips && isFlat) ||
    /rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?|inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0/.test(clip)
  ) {
    return "clipped";
  }
  const isMoved = /absolute|fixed|relative/.test(values.get("position") ?? "");
  const edges = isMoved ? ["left", "top", "right", "bottom"] : [];
  const offsets = [...edges, "text-indent", "margin-left", "margin-top"].map((name) => size(name) ?? 0);
  const shift = /translate[xy]?\(\s*-(\d+)(px|%)/.exec(values.get("transform") ?? "");
  if (offsets.some((offset) => offset <= OFF_SCREEN) || Number(shift?.[1] ?? 0) >= -OFF_SCREEN) return "off_screen";
  return /scale[xy]?\(\s*0(?:\.0\d*)?\s*[,)]/.test(values.get("transform") ?? "") ? "clipped" : null;
};

const backgroundOf = (
  values: ReadonlyMap<string, string>,
  attributes: Readonly<Record<string, string>>,
  behind: Colour | undefined,
): Colour | undefined => {
  const shorthand = values.get("background") ?? "";
  const image = values.get("background-image") ?? "none";
  if (/url\(|gradient\(/.test(shorthand + image) || attributes["background"] !== undefined) return undefined;
  const words = [values.get("background-color") ?? "", ...(shorthand.match(/[a-z]+\([^)]*\)|[^\s]+/g) ?? [])];
  const found = [...words, attributes["bgcolor"] ?? ""].filter((word) => word !== "").map(colourOf);
  const colour = found.find((one) => one !== undefined);
  if (colour !== undefined) return colour.alpha < 0.5 ? behind : colour;
  return values.has("background-color") || attributes["bgcolor"] !== undefined ? undefined : behind;
};

/** Returns the look of an element within a parent of the given look. */
export const lookOf = (
  parent: ElementLook,
  tag: string,
  attributes: Readonly<Record<string, string>>,
  declarations: ReadonlyArray<Declarations>,
): ElementLook => {
  const values = valuesOf(declarations);
  const fontPixels = fontPixelsOf(values.get("font-size") ?? fontOf(values.get("font")), parent.fontPixels);
  const written =
    values.get("color") ?? (tag === "font" || tag === "body" ? (attributes["color"] ?? attributes["text"]) : undefined);
  const linked = tag === "a" && attributes["href"] !== undefined ? colourOf("blue") : parent.colour;
  const visibility = values.get("visibility");
  return {
    removed: parent.removed ?? removalOf(values, attributes["hidden"] !== undefined, fontPixels),
    isVisible: visibility === undefined || visibility === "inherit" ? parent.isVisible : visibility === "visible",
    colour:
      written === undefined || written === "inherit"
        ? written === undefined
          ? linked
          : parent.colour
        : colourOf(written),
    background: backgroundOf(values, attributes, parent.background),
    fontPixels,
    opacity: parent.opacity * opacityOf(values.get("opacity")),
  };
};

const fontOf = (font: string | undefined): string | undefined =>
  font?.split(/[\s/]+/).find((word) => /^[\d.]+(?:px|pt|em|rem|%)?$/.test(word) && !/^[1-9]00$/.test(word));

/** Returns why a person does not see text in an element; null if the text is visible. */
export const reasonHidden = (look: ElementLook): string | null => {
  if (look.removed !== null) return look.removed;
  if (!look.isVisible) return "invisible";
  if (look.opacity < MIN_OPACITY) return "transparent";
  if (look.fontPixels < MIN_FONT_PIXELS) return "tiny";
  const { colour, background } = look;
  return colour !== undefined && background !== undefined && isSameColour(colour, background) ? "same_colour" : null;
};
