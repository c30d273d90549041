import type { Identities } from "@postern/core/send";
import type { SeededRandom } from "../../../../timeline/SeededRandom.ts";

type Fields = Parameters<Identities["Service"]["change"]>[2];

/** Returns some of the fields of an identity. */
export const drawFields = (random: SeededRandom): Fields => {
  const all: Fields = {
    name: random.pick(["", "Sales", "Ünï Cödé", "Roe, Jane"]),
    replyTo: random.pick([null, `answers-${random.between(0, 3)}@far.test`]),
    signatureText: `Regards ${random.between(0, 9)}`,
    signatureHtml: random.chance(0.04) ? "x".repeat(65_536) : random.pick(["", "<p>Regards</p>"]),
  };
  return Object.fromEntries(random.some(Object.entries(all), random.between(0, 5)));
};
