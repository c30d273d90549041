import { type Cause, Clock, Duration, Effect } from "effect";
import { errorText } from "../database/error-text.ts";
import {
  DatabaseClash,
  DatabaseRefused,
  DatabaseTooNew,
  DatabaseUnreachable,
  type PostgresStartError,
} from "../database/errors.ts";
import { failureOf, isRefusal } from "./failure-of.ts";

const FIRST_PAUSE_MILLIS = 100;
const MAX_PAUSE_MILLIS = 2_000;

/** Retries with growing pauses while the database does not answer, and logs each failure. */
export const retryUntilConnected = <A, R>(
  attempt: Effect.Effect<A, Cause.UnknownError, R>,
  patience: Duration.Duration,
): Effect.Effect<A, PostgresStartError, R> =>
  Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis;
    for (let pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(pause * 2, MAX_PAUSE_MILLIS)) {
      const outcome = yield* Effect.result(Effect.catch(attempt, absence));
      if (outcome._tag === "Success") return outcome.success;
      if (typeof outcome.failure !== "string") return yield* outcome.failure;
      const waitedMillis = (yield* Clock.currentTimeMillis) - began;
      if (waitedMillis + pause > Duration.toMillis(patience)) {
        return yield* new DatabaseUnreachable({ waitedMillis, detail: outcome.failure });
      }
      yield* Effect.logWarning(`the database does not answer; retrying: ${outcome.failure}`);
      yield* Effect.sleep(pause);
    }
  });

/** Fails with text if a retry may help, otherwise with the refusal. */
const absence = ({
  cause,
}: Cause.UnknownError): Effect.Effect<never, string | DatabaseTooNew | DatabaseClash | DatabaseRefused> => {
  if (cause instanceof DatabaseTooNew || cause instanceof DatabaseClash) return Effect.fail(cause);
  if (isRefusal(cause)) return Effect.fail(new DatabaseRefused({ detail: errorText(cause) }));
  return failureOf(cause) === "unavailable" ? Effect.fail(errorText(cause)) : Effect.die(cause);
};
