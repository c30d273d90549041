import { Option } from "effect";

/** An id that sorts by time (epoch milliseconds), then at random: the random text makes it unique. */
export const eventId = (occurredAt: number, random: string): string =>
  `evt_${occurredAt.toString(36).padStart(9, "0")}${random}`;

/** When the event of an id occurred, in epoch milliseconds; none where it is no such id. */
export const eventTime = (id: string): Option.Option<number> => {
  const time = /^evt_([0-9a-z]{9})/.exec(id)?.[1];
  return time === undefined ? Option.none() : Option.some(Number.parseInt(time, 36));
};
