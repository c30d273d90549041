import { Effect, Layer, Option, References } from "effect";
import type { Config } from "../settings/config.ts";

/**
 * Sends traces and metrics over OTLP/HTTP in the background (`OTEL_EXPORTER_OTLP_ENDPOINT`, spec 1); sends nothing if
 * the setting is missing.
 */
export const telemetry = ({ otlpEndpoint }: Config): Layer.Layer<never> =>
  Option.match(otlpEndpoint, {
    // Tracing is off, because spans cost the same even if they are not exported.
    onNone: () => Layer.succeed(References.TracerEnabled, false),
    onSome: (endpoint) =>
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./otlp.ts")),
          ({ otlp }) => otlp(endpoint),
        ),
      ),
  });
