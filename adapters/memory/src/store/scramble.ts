/**
 * Returns 128 bits, as four 32-bit numbers, that depend on every character of a text, by the 32-bit steps of
 * MurmurHash3. Evenly distributed and deterministic, but not secret: for fakes only.
 */
export const scramble = (text: string): Uint32Array => {
  const hash = Uint32Array.of(0x9e37_79b9, 0x243f_6a88, 0xb7e1_5162, 0x6a09_e667);
  for (let at = 0; at < text.length; at++) {
    for (let lane = 0; lane < 4; lane++) {
      hash[lane] = rotate(hash[lane]! ^ Math.imul(text.charCodeAt(at) + lane, 0xcc9e_2d51), 13);
      hash[lane] = Math.imul(hash[lane]!, 5) + 0xe654_6b64;
    }
  }
  // Each number depends on all other numbers.
  for (let round = 0; round < 8; round++)
    hash[round & 3] = finish(hash[round & 3]! + hash[(round + 1) & 3]! + text.length);
  return hash;
};

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

const finish = (word: number): number => {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return mixed ^ (mixed >>> 16);
};
