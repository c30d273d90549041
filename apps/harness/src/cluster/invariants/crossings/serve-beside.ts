import { Effect, Fiber } from "effect";
import type { Visit } from "../../Visit.ts";
import { insist } from "../takeovers/insist.ts";
import type { HoldPoint } from "./HoldPoint.ts";

/**
 * The time for which a request is held while the other may wait for its locks, in milliseconds, and the interval at
 * which the client checks.
 */
const HELD = 3_000;
const LOOK = 20;

/**
 * Serves a request while the node of another one is halted before its call of this number about one of these ids; then lets that
 * node go on. Returns whether the node made so many calls.
 */
export const serveBeside = (
  visit: Visit,
  hold: HoldPoint,
  { about, call }: { readonly about: ReadonlyArray<string>; readonly call: number },
  held: Effect.Effect<unknown, unknown>,
  meanwhile: Effect.Effect<unknown, unknown>,
): Effect.Effect<boolean, unknown> =>
  Effect.gen(function* () {
    hold.arm(about, call);
    const first = yield* Effect.forkChild(Effect.exit(held));
    while (!hold.isHit && first.pollUnsafe() === undefined) yield* visit.wait(LOOK);
    const isHeld = hold.isHit;
    const other = yield* Effect.forkChild(insist(visit, meanwhile));
    if (isHeld) yield* Effect.raceFirst(Fiber.await(other), visit.wait(HELD));
    hold.release();
    yield* Fiber.join(other);
    yield* Fiber.join(first);
    return isHeld;
  });
