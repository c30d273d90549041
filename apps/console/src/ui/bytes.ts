import { numberText } from "../texts/formats.ts";
import { markText, t } from "../texts/text.ts";

const UNITS = [markText("{size} B"), markText("{size} KB"), markText("{size} MB"), markText("{size} GB")] as const;

/** Returns a size in units of 1024, with three digits at most. */
export const bytes = (size: number): string => {
  const unit = Math.min(UNITS.length - 1, size < 1 ? 0 : Math.floor(Math.log2(size) / 10));
  const value = size / 1024 ** unit;
  const digits = value < 10 && unit > 0 ? 1 : 0;
  return t(UNITS[unit]!, {
    size: numberText(value, { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false }),
  });
};
