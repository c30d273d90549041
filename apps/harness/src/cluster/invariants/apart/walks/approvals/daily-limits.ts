import type { SendingKey } from "@postern/core/send";
import type { Visit } from "../../../../Visit.ts";
import { DAY, MINUTE } from "../../durations.ts";

/** Returns a model of how many approvals each agent may still request on its day, which begins with the first request. */
export const dailyLimits = (visit: Visit) => {
  const days = new Map<string, { readonly perDay: number; startedAt: number; used: number }>();
  return {
    begin: (by: SendingKey, perDay: number) => void days.set(by.id, { perDay, startedAt: 0, used: 0 }),
    /** A new approval of this time counts; a repeated request does not. [S13.1-3] [S13.2-2] */
    count: (by: SendingKey, at: number): void => {
      const day = days.get(by.id);
      if (day === undefined) return;
      if (at >= day.startedAt + DAY) Object.assign(day, { startedAt: at, used: 0 });
      day.used++;
    },
    /** Returns whether an agent may request a new approval, or null if its day is just ending. */
    allows: (by: SendingKey): boolean | null => {
      const day = days.get(by.id);
      if (day === undefined || day.used < day.perDay) return true;
      const left = day.startedAt + DAY - visit.now;
      return Math.abs(left) < MINUTE ? null : left < 0;
    },
    /** Returns how many approvals an agent may still request, if its day does not end. */
    left: (by: SendingKey): number => {
      const day = days.get(by.id);
      if (day === undefined) return Infinity;
      return visit.now >= day.startedAt + DAY ? day.perDay : day.perDay - day.used;
    },
    ends: () => [...days.values()].filter(({ used, perDay }) => used >= perDay).map(({ startedAt }) => startedAt + DAY),
  };
};
