/**
 * Returns a delivery id. Ids sort by the time the delivery was created (epoch milliseconds), then by the position of
 * its event in the ledger; random text makes each id unique.
 */
export const deliveryId = (now: number, position: number, random: string): string =>
  `del_${now.toString(36).padStart(9, "0")}${position.toString(36).padStart(7, "0")}${random}`;
