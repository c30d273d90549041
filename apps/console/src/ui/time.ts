import { markText, t } from "../texts/text.ts";
import { dateFormat } from "../texts/formats.ts";

const CLOCK = { hour: "2-digit", minute: "2-digit" } as const;
const DAY = { day: "numeric", month: "short" } as const;
const DATE = { day: "numeric", month: "short", year: "numeric" } as const;
const DATE_AND_TIME = { dateStyle: "medium", timeStyle: "medium" } as const;

/** Returns the time of day for today, the day for this year, otherwise the date. */
export const shortTime = (at: string, now: Date = new Date()): string => {
  const date = new Date(at);
  if (date.toDateString() === now.toDateString()) return dateFormat(CLOCK).format(date);
  return dateFormat(date.getFullYear() === now.getFullYear() ? DAY : DATE).format(date);
};

export const dayAndTime = (at: string): string => dateFormat(DATE_AND_TIME).format(new Date(at));

const UNITS = [
  [markText("{count} d"), 86_400_000],
  [markText("{count} h"), 3_600_000],
  [markText("{count} m"), 60_000],
  [markText("{count} s"), 1_000],
] as const;

/** Returns milliseconds in one or two units: `1 m`, `1 h 21 m`, `230 ms`. */
export const duration = (millis: number): string => {
  if (millis < 1_000) return t("{count} ms", { count: Math.round(millis) });
  const first = UNITS.findIndex(([, size]) => millis >= size);
  let rest = Math.round(millis / 1_000) * 1_000;
  const parts: Array<string> = [];
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(t(unit, { count }));
  }
  return parts.join(" ");
};
