/** Ids of later deliveries are greater, to the millisecond; a random text makes one nobody else's. */
export const deliveryId = (now: number, random: string): string => `del_${now.toString(36).padStart(9, "0")}${random}`;
