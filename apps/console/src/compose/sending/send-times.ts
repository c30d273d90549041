import { markText, t, type Text } from "../../texts/text.ts";

const MORNING = 8;
const AFTERNOON = 13;
const MONDAY = 1;
const YEAR_MILLIS = 365 * 86_400_000;

export interface SendTime {
  readonly name: Text;
  readonly at: Date;
}

const dayAt = (now: Date, days: number, hour: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);

/** Returns the times in the menu for sending later. */
export const sendTimes = (now: Date): ReadonlyArray<SendTime> => {
  const toMonday = (MONDAY - now.getDay() + 7) % 7 || 7;
  return [
    { name: markText("This afternoon"), at: dayAt(now, 0, AFTERNOON) },
    { name: markText("Tomorrow morning"), at: dayAt(now, 1, MORNING) },
    { name: markText("Tomorrow afternoon"), at: dayAt(now, 1, AFTERNOON) },
    { name: markText("Monday morning"), at: dayAt(now, toMonday, MORNING) },
  ].filter(({ at }, n, all) => at > now && all.findIndex((one) => one.at.getTime() === at.getTime()) === n);
};

/** Returns the fault of a typed time, which is the value of a `datetime-local` field. */
export const timeFault = (typed: string, now: Date): string | undefined => {
  const at = new Date(typed);
  if (Number.isNaN(at.getTime())) return t("Enter a date and a time.");
  if (at <= now) return t("Choose a time in the future.");
  return at.getTime() - now.getTime() > YEAR_MILLIS ? t("Choose a time within a year.") : undefined;
};

/** Returns a local time as the value of a `datetime-local` field. */
export const fieldValue = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
