/**
 * Returns whether a record comes after a location in a list that is sorted from newest to oldest, then by id. Returns
 * true without a location.
 */
export const isAfter = (
  { createdAt, id }: { readonly createdAt: number; readonly id: string },
  place: { readonly at: number; readonly id: string } | undefined,
): boolean => place === undefined || createdAt < place.at || (createdAt === place.at && id > place.id);
