/** The bytes of a message so far, in few numbers. */
interface Sum {
  readonly size: number;
  readonly lanes: readonly [number, number];
}

/** No bytes yet. */
export const NO_BYTES: Sum = { size: 0, lanes: [0x811c_9dc5, 0x9e37_79b9] };

/** Adds bytes: FNV-1a in two lanes of 32 bits, the second with another prime. */
export const addBytes = ({ size, lanes }: Sum, bytes: Uint8Array): Sum => {
  let [one, two] = lanes;
  for (const byte of bytes) {
    one = Math.imul(one ^ byte, 0x0100_0193);
    two = Math.imul(two ^ byte, 0x85eb_ca6b) ^ (two >>> 15);
  }
  return { size: size + bytes.length, lanes: [one, two] };
};

/** Returns the size and 64 bits that depend on every byte. Tells versions of a message apart, not forgeries. */
export const checksumOf = ({ size, lanes }: Sum): string =>
  [size, ...lanes.map((lane) => lane >>> 0)].map((number) => number.toString(36)).join("-");
