import { Readiness, Routes } from "@postern/http-api";
import { UseCases } from "@postern/core";
import { Effect, Layer, Ref } from "effect";
import { HttpRouter } from "effect/http";
import { adapters } from "./adapters.ts";
import type { Config } from "./config.ts";
import { httpServer } from "./http-server.ts";
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

/** The whole service: routes over use cases over adapters, on Node's HTTP server. */
export const service = (config: Config, keys: ServiceKeys) =>
  HttpRouter.serve(Routes({ https: config.baseUrl.protocol === "https:" }), {
    disableLogger: true,
    disableListenLog: true,
  }).pipe(
    Layer.provide(ReadyWhileUp),
    Layer.provide(UseCases),
    Layer.provide(adapters(config, keys)),
    Layer.provideMerge(httpServer(config)),
  );
