import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import { UseCases } from "@postern/core";
import { Readiness, Routes } from "@postern/http-api";
import { Effect, Layer, Ref } from "effect";
import { HttpRouter } from "effect/http";
import { adapters } from "./adapters.ts";
import type { Config } from "./config.ts";
import { listen } from "./listen.ts";
import type { ServiceKeys } from "./service-keys.ts";

/** Ready from the moment everything behind is built until the first finalizer runs. */
const ReadyWhileUp = Layer.effect(
  Readiness,
  Effect.gen(function* () {
    const ready = yield* Ref.make(true);
    yield* Effect.addFinalizer(() => Ref.set(ready, false));
    return { isReady: Ref.get(ready) };
  }),
);

/** The whole service, routes over use cases over adapters, listening until its scope closes. Answers with the port. */
export const service = Effect.fnUntraced(function* (config: Config, keys: ServiceKeys) {
  const app = yield* HttpRouter.toHttpEffect(
    Routes({ https: config.baseUrl.protocol === "https:" }).pipe(
      Layer.provide(ReadyWhileUp),
      Layer.provide(UseCases),
      Layer.provide(adapters(config, keys)),
      Layer.provide(NodeHttpServer.layerHttpServices),
    ),
  );
  return yield* listen(config, app);
});
