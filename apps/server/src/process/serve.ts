import { Context, Duration, Effect } from "effect";
import type { DisciplinedClock } from "../clock/DisciplinedClock.ts";
import type { Config } from "../settings/config.ts";
import { collectWhenIdle } from "./idle-collection.ts";
import { listen } from "./listen.ts";
import type { ServiceKeys } from "../settings/service-keys.ts";
import { service } from "../wiring/service.ts";

/** The longest time from the stop signal to the end of the process, even if work hangs (spec 8). */
const WHOLE_STOP = Duration.millis(19_500);

/** Starts the service as a separate process, listening until the scope closes. Returns the port. */
export const serve = Effect.fnUntraced(function* (config: Config, keys: ServiceKeys, clock: DisciplinedClock) {
  let isStopping = false;
  yield* Effect.addFinalizer(() => (isStopping ? Effect.logInfo("stopped") : Effect.void));
  const { app, start, stopping } = yield* service(config, keys, clock);
  yield* start;
  yield* Effect.forkScoped(collectWhenIdle);
  const port = yield* listen(config, app);
  yield* Effect.logInfo("ready", { port });
  // Scopes close in reverse order: the service first reports not ready, then stops listening, then releases the rest.
  yield* Effect.addFinalizer(() => {
    isStopping = true;
    return Effect.all([stopping.begin, endInTime, Effect.logInfo("stopping")], { discard: true });
  });
  return port;
});

/**
 * Ends the process at the time limit, even if work hangs. Other processes take over the work when its leases expire,
 * and the next start finds committed work.
 */
const endInTime = Effect.contextWith((context: Context.Context<never>) =>
  Effect.sync(() => {
    const end = () => {
      Effect.runSyncWith(context)(Effect.logWarning("stopped before all work had ended"));
      process.exit(0);
    };
    setTimeout(end, Duration.toMillis(WHOLE_STOP)).unref();
  }),
);
