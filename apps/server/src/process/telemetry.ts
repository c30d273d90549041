import { Effect, Layer, Option, References } from "effect";
import type { Config } from "../settings/config.ts";

const RESOURCE = { serviceName: "postern" };

/**
 * Sends traces and metrics over OTLP/HTTP in the background (`OTEL_EXPORTER_OTLP_ENDPOINT`, spec 1); sends nothing if
 * the setting is missing. If the collector is down, only the unsent data is lost.
 */
export const telemetry = ({ otlpEndpoint }: Config): Layer.Layer<never> =>
  Option.match(otlpEndpoint, {
    // Tracing is off, because spans cost the same even if they are not exported.
    onNone: () => Layer.succeed(References.TracerEnabled, false),
    onSome: (endpoint) =>
      Layer.unwrap(
        Effect.promise(async () => {
          const [{ FetchHttpClient, UrlParams }, { OtlpMetrics, OtlpSerialization, OtlpTracer }] = await Promise.all([
            import("effect/http"),
            import("effect/observability"),
          ]);
          const base = endpoint.href.replace(/\/$/, "");
          return Layer.mergeAll(
            OtlpTracer.layer({ url: `${base}/v1/traces`, resource: RESOURCE }),
            OtlpMetrics.layer({ url: `${base}/v1/metrics`, resource: RESOURCE }),
            // Query strings may contain search terms.
            Layer.succeed(UrlParams.CurrentRedactedNames, [/^/]),
          ).pipe(Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer]));
        }),
      ),
  });
