import { Clock, Effect, Layer, type Scope } from "effect";
import { DisciplinedClock } from "../clock/DisciplinedClock.ts";
import type { Config } from "../settings/config.ts";
import { type ServiceKeys, serviceKeys } from "../settings/service-keys.ts";
import { telemetry } from "./telemetry.ts";

/** Runs an effect with the keys, the clock, the logs and the telemetry of a service, which last until the scope closes. */
export const runPrepared = Effect.fnUntraced(function* <A, E>(
  config: Config,
  logging: Layer.Layer<never>,
  run: (keys: ServiceKeys, clock: DisciplinedClock) => Effect.Effect<A, E, Scope.Scope>,
  embedded = false,
) {
  const keys = yield* serviceKeys(config, embedded);
  const clock = new DisciplinedClock(yield* Clock.Clock);
  const observed = yield* Layer.build(Layer.provideMerge(telemetry(config), logging));
  return yield* run(keys, clock).pipe(Effect.provideContext(observed), Effect.provideService(Clock.Clock, clock));
});
