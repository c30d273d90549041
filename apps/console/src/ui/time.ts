const CLOCK = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const DATE = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const DATE_AND_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** Returns the time of day for today, the day for this year, otherwise the date. */
export const shortTime = (at: string, now: Date = new Date()): string => {
  const date = new Date(at);
  if (date.toDateString() === now.toDateString()) return CLOCK.format(date);
  return date.getFullYear() === now.getFullYear() ? DAY.format(date) : DATE.format(date);
};

export const dayAndTime = (at: string): string => DATE_AND_TIME.format(new Date(at));

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

/** Returns milliseconds in one or two units: `1 m`, `1 h 21 m`, `230 ms`. */
export const duration = (millis: number): string => {
  if (millis < 1_000) return `${Math.round(millis)} ms`;
  const first = UNITS.findIndex(([, size]) => millis >= size);
  let rest = Math.round(millis / 1_000) * 1_000;
  const parts: Array<string> = [];
  for (const [unit, size] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.join(" ");
};
