/** An id that sorts by time (epoch milliseconds), then by chance: a random text makes it nobody else's. */
export const eventId = (occurredAt: number, random: string): string =>
  `evt_${occurredAt.toString(36).padStart(9, "0")}${random}`;
