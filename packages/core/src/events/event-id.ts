import { Option } from "effect";

/** Returns an id that sorts by time (epoch milliseconds) and is unique by its random text. */
export const eventId = (occurredAt: number, random: string): string =>
  `evt_${occurredAt.toString(36).padStart(9, "0")}${random}`;

/** Returns the time in an event id, in epoch milliseconds; none if the text is not an event id. */
export const eventTime = (id: string): Option.Option<number> => {
  const time = /^evt_([0-9a-z]{9})/.exec(id)?.[1];
  return time === undefined ? Option.none() : Option.some(Number.parseInt(time, 36));
};
