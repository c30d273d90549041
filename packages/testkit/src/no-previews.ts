import { Previews } from "@postern/core/messages";
import { Effect, Layer } from "effect";

/** For suites of listings that show no previews. */
export const noPreviews: Layer.Layer<Previews> = Layer.succeed(Previews, { of: () => Effect.succeed(new Map()) });
