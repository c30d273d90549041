import { Database } from "@postern/sql";
import { Effect, Layer, Option, Schedule } from "effect";
import { isStep, type TimeSample } from "./discipline.ts";
import { type DisciplinedClock, machineTime, monotonicMillis } from "./DisciplinedClock.ts";

/** The longest accepted round trip of a reading, in milliseconds. The error of a reading is at most half of its round trip. */
const MAX_ROUND_TRIP_MILLIS = 1_000;

/** Makes the clock follow the time of the database, which all nodes share; with the embedded database, the time of the machine. */
export const FollowDatabaseTime = (clock: DisciplinedClock) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { time } = yield* Database;

      /** Takes a sample; returns none if the answer took too long to be precise. */
      const sample = Effect.gen(function* () {
        const before = monotonicMillis();
        const answer = yield* time;
        const after = monotonicMillis();
        if (Option.isNone(answer)) return Option.some(machineTime());
        const reading: TimeSample = { monotonic: (before + after) / 2, time: answer.value };
        return after - before > MAX_ROUND_TRIP_MILLIS ? Option.none() : Option.some(reading);
      });

      const follow = Effect.gen(function* () {
        const reading = yield* sample;
        if (Option.isNone(reading)) return;
        const late = clock.follow(reading.value);
        if (isStep(late)) {
          const much = `${Math.round(Math.abs(late))} ms ${late > 0 ? "ahead of" : "behind"} ours`;
          yield* Effect.logWarning(
            `the clock of the database is ${much}: it was set; the clock of this process follows slowly`,
          );
        }
      });

      const first = yield* sample;
      if (Option.isSome(first)) clock.start(first.value);
      yield* follow.pipe(Effect.ignore, Effect.schedule(Schedule.spaced("30 seconds")), Effect.forkScoped);
    }),
  );
