/**
 * Ids sort by when the delivery was made (epoch milliseconds), then by the position of its event in the ledger; a random
 * text makes each unique.
 */
export const deliveryId = (now: number, position: number, random: string): string =>
  `del_${now.toString(36).padStart(9, "0")}${position.toString(36).padStart(7, "0")}${random}`;
