import { dateFormat } from "../../texts/formats.ts";
import { t } from "../../texts/text.ts";

/** The times of an event: instants, local times of an unknown zone, or days. */
export interface EventTimes {
  readonly start: string;
  readonly end: string | null;
  readonly allDay: boolean;
}

const DAY_MILLIS = 86_400_000;

/** Returns the times of an event in the time zone of the browser; days stay those of the calendar. */
export const timeOfEvent = ({ start, end, allDay }: EventTimes): string => {
  const day = { weekday: "short", day: "numeric", month: "short", year: "numeric" } as const;
  const first = new Date(start);
  if (Number.isNaN(first.getTime())) return start;
  const last = new Date(end ?? start);
  if (allDay) {
    // The end in a calendar is the day after the last day.
    const until = new Date(Math.max(first.getTime(), last.getTime() - DAY_MILLIS));
    return dateFormat({ ...day, timeZone: "UTC" }).formatRange(first, until);
  }
  const zone = start.endsWith("Z") ? ({ timeZoneName: "short" } as const) : {};
  const format = dateFormat({ ...day, hour: "2-digit", minute: "2-digit", ...zone });
  const text = last > first ? format.formatRange(first, last) : format.format(first);
  return start.endsWith("Z") ? text : t("{time}, in a time zone that the invitation does not name", { time: text });
};
