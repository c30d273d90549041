import { randomFrom } from "../fuzz/random-from.ts";

/** An act of another mail client. The numbers select among the folders and messages that exist at that time. */
export interface ForeignAct {
  readonly kind: "append" | "flag" | "move" | "copy" | "expunge" | "rename" | "renumber";
  /** The number of the acting client, of two. */
  readonly client: 0 | 1;
  readonly folder: number;
  readonly message: number;
  readonly to: number;
  readonly flag: number;
}

/** The share of each act, in percent. */
const SHARES: ReadonlyArray<readonly [ForeignAct["kind"], number]> = [
  ["append", 27],
  ["flag", 18],
  ["move", 36],
  ["copy", 4],
  ["expunge", 12],
  ["rename", 2],
  ["renumber", 1],
];
const KINDS = SHARES.flatMap(([kind, share]) => Array.from({ length: share }, () => kind));

/** Returns random acts of two other mail clients; the same seed gives the same acts. */
export const foreignActs = (seed: number, count: number): ReadonlyArray<ForeignAct> => {
  const { below, of } = randomFrom(seed);
  const number = () => below(1_000_000);
  return Array.from({ length: count }, () => ({
    kind: of(KINDS),
    client: of([0, 1] as const),
    folder: number(),
    message: number(),
    to: number(),
    flag: number(),
  }));
};
