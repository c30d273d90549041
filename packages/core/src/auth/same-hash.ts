/** Whether two hashes are equal; takes the same time wherever they differ. */
export const isSameHash = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
};
