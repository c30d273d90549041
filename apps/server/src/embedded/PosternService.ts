import { Context, Effect, Layer } from "effect";
import type { Behind, Replacements, Service } from "../wiring/service.ts";
import { openService } from "./open-service.ts";
import { embeddedConfig } from "./embedded-config.ts";
import type { Settings } from "./PosternOptions.ts";

/** The service inside an Effect program: `app` answers requests, `start` runs the background work. */
export class PosternService extends Context.Service<PosternService, Service>()("@postern/server/PosternService") {
  /**
   * The service with all its use cases and ports. Nothing runs before `start`. The service uses the loggers and tracers
   * of the program.
   */
  static readonly layer = (settings: Settings = {}, replacements: Replacements = Layer.empty) =>
    Layer.effectContext(
      Effect.gen(function* () {
        const config = yield* embeddedConfig(settings);
        const { context, ...opened } = yield* openService(config, Layer.empty, replacements);
        // The background work of the service uses the service's clock.
        const start = Effect.provideContext(opened.start, context);
        const all: Context.Context<Behind | PosternService> = Context.add(opened.behind, PosternService, {
          ...opened,
          start,
        });
        return all;
      }),
    );
}
