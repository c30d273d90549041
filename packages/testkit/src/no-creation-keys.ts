import { Creations } from "@postern/core/creations";
import { Effect, Layer } from "effect";

/** Creations of requests without an `Idempotency-Key`. */
export const noCreationKeys = Layer.succeed(Creations, {
  once: (_key, _request, create) => create({ begin: () => Effect.void, complete: () => Effect.void }),
  forgetOld: () => Effect.succeed(0),
});
