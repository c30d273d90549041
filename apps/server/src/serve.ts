import { Context, Duration, Effect } from "effect";
import type { DisciplinedClock } from "./clock/DisciplinedClock.ts";
import type { Config } from "./config.ts";
import { listen } from "./listen.ts";
import type { ServiceKeys } from "./service-keys.ts";
import { service } from "./service.ts";

/** From being told to stop to the end of the process, whatever hangs (spec 8). */
const WHOLE_STOP = Duration.millis(19_500);

/** Starts the service as a process of its own, listening until the scope closes. Answers with the port. */
export const serve = Effect.fnUntraced(function* (config: Config, keys: ServiceKeys, clock: DisciplinedClock) {
  let isStopping = false;
  yield* Effect.addFinalizer(() => (isStopping ? Effect.logInfo("stopped") : Effect.void));
  const { app, start, stopping } = yield* service(config, keys, clock);
  yield* start;
  const port = yield* listen(config, app);
  yield* Effect.logInfo("ready", { port });
  // Scopes close in reverse: first no longer ready, then no longer listening, then the rest.
  yield* Effect.addFinalizer(() => {
    isStopping = true;
    return Effect.all([stopping.begin, endInTime, Effect.logInfo("stopping")], { discard: true });
  });
  return port;
});

/** What hangs is left to others: leases run out, and what is committed is found at the next start. */
const endInTime = Effect.contextWith((context: Context.Context<never>) =>
  Effect.sync(() => {
    const end = () => {
      Effect.runSyncWith(context)(Effect.logWarning("stopped before all work had ended"));
      process.exit(0);
    };
    setTimeout(end, Duration.toMillis(WHOLE_STOP)).unref();
  }),
);
