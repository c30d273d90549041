import { Entropy } from "@postern/core/shared";
import { Effect, Layer } from "effect";
import { scramble } from "../store/scramble.ts";

/** Deterministic bits that look random: the same sequence in every run. */
export const layer = Layer.sync(Entropy, () => {
  let asked = 0;
  return {
    id: (bits) => {
      if (bits % 8 !== 0) return Effect.die(new RangeError(`${bits} bits are no whole bytes`));
      return Effect.sync(() => {
        const nth = ++asked;
        const blocks = Array.from({ length: Math.ceil(bits / 128) }, (_, block) => scramble(`${nth}/${block}`));
        return Buffer.concat(blocks.map(({ buffer }) => Buffer.from(buffer)))
          .subarray(0, bits / 8)
          .toString("base64url");
      });
    },
  };
});
