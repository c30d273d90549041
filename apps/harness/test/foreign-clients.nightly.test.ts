import { it } from "@effect/vitest";
import { Effect } from "effect";
import { expect } from "vitest";
import { playForeignClients } from "./foreign-clients.ts";

const OPERATIONS = 500;
const HISTORIES = 300;
const EACH = 20;
/** Of the moves of messages without copies, how many must be told as moves. */
const LEAST_MOVED = 0.99;

it.live.each(Array.from({ length: HISTORIES / EACH }, (_, n) => n * EACH + 1))(
  `what is told of a mailbox that two clients change by ${OPERATIONS} operations is true (${EACH} histories from %i)`,
  (first) =>
    Effect.gen(function* () {
      let [moved, ended] = [0, 0];
      for (let seed = first; seed < first + EACH; seed++) {
        const { violations, single, copied } = yield* playForeignClients(seed, OPERATIONS);
        expect(violations, `seed ${seed}`).toEqual([]);
        console.log(`seed ${seed}: ${JSON.stringify({ single, copied })}`);
        moved += single.moved;
        ended += single.ended;
      }
      expect(moved / (moved + ended)).toBeGreaterThanOrEqual(LEAST_MOVED);
    }),
);
