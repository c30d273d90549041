const MILLIS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DAY = MILLIS.d;

/** Parses `0`, `90m` or `7d` to milliseconds; a day by default, at most a week (spec 7). */
export const overlapMillis = (text: string | undefined): number => {
  if (text === undefined) return DAY;
  const unit = text.at(-1) as keyof typeof MILLIS;
  return Math.min(Number.parseInt(text, 10) * (MILLIS[unit] ?? 0), 7 * DAY);
};
