import { Effect } from "effect";
import type { Visit } from "../../Visit.ts";

/** A time longer than the lifetime of an access token, in milliseconds. */
export const DUE = 60_000;

/** Requests a token each second until a condition holds. */
export const askUntil = (visit: Visit, ask: Effect.Effect<unknown>, holds: () => boolean): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (const until = visit.now + DUE; !holds() && visit.now < until;) {
      yield* Effect.forkChild(ask);
      yield* visit.wait(1_000);
    }
    visit.expect(holds(), "an access token is not replaced before it ends");
  });
