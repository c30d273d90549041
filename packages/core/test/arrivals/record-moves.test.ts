import { assert, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { announcementServices, recordMoves } from "../../src/arrivals/announce-changes.ts";
import { EventPublisher } from "../../src/events/index.ts";
import { MovedMessages } from "../../src/watch/index.ts";
import { numberedIds, readableIds } from "../doubles.ts";
import { ME } from "./inbox-in-memory.ts";

const at = (folderId: string, uid: number, uidValidity = 1) => ({ folderId, uidValidity, uid });

it.effect(
  "a message keeps its id if it leaves after its new UID was recorded and before the new UIDVALIDITY was [S5.2-9]",
  () =>
    Effect.gen(function* () {
      const settled: Array<unknown> = [];
      const moved = Layer.mock(MovedMessages, {
        find: () =>
          Effect.succeed({
            left: [
              { from: at("a", 5), now: at("a", 1, 2), id: at("a", 5) },
              { from: at("a", 6), now: at("b", 9), id: at("a", 6) },
            ],
            isMoving: false,
          }),
        settle: (_, moves) => Effect.sync(() => void settled.push(...moves)),
      });
      const ports = Layer.mergeAll(moved, Layer.mock(EventPublisher, {}), readableIds, numberedIds);
      const on = yield* Effect.provide(announcementServices, ports);
      const own = yield* recordMoves(on, ME, [
        { from: at("a", 5), now: at("b", 8) },
        { from: at("a", 6), now: at("b", 9) },
      ]);
      assert.deepStrictEqual(settled, [
        { from: at("a", 1, 2), now: at("b", 8) },
        { from: at("a", 6), now: at("b", 9) },
      ]);
      assert.deepStrictEqual([...own], ["9 1 b"]);
    }),
);
