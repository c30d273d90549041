import { Effect, type Layer, type Scope } from "effect";
import type { Config } from "../settings/config.ts";
import { runPrepared } from "../process/prepared.ts";
import { type Replacements, service } from "../wiring/service.ts";
import { retryStart } from "../process/retry-start.ts";

/** Opens the service for a config. Effects of the service run in the returned `context`. */
export const openService = (config: Config, logging: Layer.Layer<never>, replacements?: Replacements) =>
  runPrepared(
    config,
    logging,
    (keys, clock) =>
      Effect.gen(function* () {
        const open = service(config, keys, clock, replacements);
        const opened = yield* "url" in keys.storage ? retryStart(open) : open;
        return { ...opened, context: yield* Effect.context<Scope.Scope>() };
      }),
    true,
  );
