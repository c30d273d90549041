/** Adds a value to a map of at most `capacity` values, and removes the oldest value if needed. Returns the added value. */
export const remember = <K, V>(map: Map<K, V>, key: K, value: V, capacity: number): V => {
  const oldest = map.size >= capacity && !map.has(key) ? map.keys().next() : undefined;
  if (oldest?.done === false) map.delete(oldest.value);
  map.set(key, value);
  return value;
};
