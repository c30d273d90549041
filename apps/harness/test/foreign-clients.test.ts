import { it } from "@effect/vitest";
import { Effect } from "effect";
import { expect } from "vitest";
import { playForeignClients } from "./foreign-clients.ts";

it.live.each([1, 2])(
  "answers and events about a mailbox that two clients change are true (seed %i) [S5.2-9] [S7.11-3] [S7.12-1]",
  (seed) => Effect.map(playForeignClients(seed, 60), ({ violations }) => expect(violations).toEqual([])),
);

it.live.each(["lost event", "other id"] as const)("the judge of such a history finds a planted fault: %s", (plant) =>
  Effect.map(playForeignClients(1, 20, plant), ({ violations }) => expect(violations).not.toEqual([])),
);
