/** A colour as red, green and blue from 0 to 255, with its opacity from 0 to 1. */
export interface Colour {
  readonly rgb: readonly [number, number, number];
  readonly alpha: number;
}

const NAMED: Readonly<Record<string, string>> = {
  white: "ffffff",
  black: "000000",
  snow: "fffafa",
  ivory: "fffff0",
  whitesmoke: "f5f5f5",
  ghostwhite: "f8f8ff",
  floralwhite: "fffaf0",
  azure: "f0ffff",
  mintcream: "f5fffa",
  silver: "c0c0c0",
  gray: "808080",
  grey: "808080",
  lightgray: "d3d3d3",
  lightgrey: "d3d3d3",
  gainsboro: "dcdcdc",
  red: "ff0000",
  maroon: "800000",
  yellow: "ffff00",
  lime: "00ff00",
  green: "008000",
  aqua: "00ffff",
  cyan: "00ffff",
  teal: "008080",
  blue: "0000ff",
  navy: "000080",
  fuchsia: "ff00ff",
  magenta: "ff00ff",
  purple: "800080",
  orange: "ffa500",
};

const HEX = /^#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/;
const RGB = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+([\d.]+)(%?))?\s*\)$/;

/** The largest difference of two colours, summed over red, green and blue, at which text cannot be read. */
const SAME = 24;

/** Returns the colour of a CSS value or an HTML attribute; undefined if it is unknown. */
export const colourOf = (value: string): Colour | undefined => {
  const text = value.trim().toLowerCase();
  if (text === "transparent") return { rgb: [0, 0, 0], alpha: 0 };
  const [, red, green, blue, alpha, percent] = RGB.exec(text) ?? [];
  if (red !== undefined) {
    const opacity = alpha === undefined ? 1 : Number(alpha) / (percent === "%" ? 100 : 1);
    return { rgb: [Number(red), Number(green), Number(blue)], alpha: opacity };
  }
  const digits = (Object.hasOwn(NAMED, text) ? NAMED[text] : undefined) ?? HEX.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const long = digits.length <= 4 ? [...digits].map((digit) => digit + digit).join("") : digits;
  const part = (at: number) => Number.parseInt(long.slice(at, at + 2), 16);
  return { rgb: [part(0), part(2), part(4)], alpha: long.length === 8 ? part(6) / 255 : 1 };
};

/** Returns whether text of one colour cannot be read on the other. */
export const isSameColour = (text: Colour, background: Colour): boolean => {
  if (text.alpha < 0.1) return true;
  const differences = text.rgb.map((value, at) => Math.abs(value - background.rgb[at]!));
  return differences.reduce((sum, one) => sum + one, 0) <= SAME;
};
