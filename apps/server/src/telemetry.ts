import { Effect, Layer, Option, References } from "effect";
import type { Config } from "./config.ts";

const RESOURCE = { serviceName: "postern" };

/**
 * Traces and metrics over OTLP/HTTP (`OTEL_EXPORTER_OTLP_ENDPOINT`, spec 1), sent in the background; nothing where
 * it is not set. A collector that is down costs what was to be sent and nothing else.
 */
export const telemetry = ({ otlpEndpoint }: Config): Layer.Layer<never> =>
  Option.match(otlpEndpoint, {
    // Spans that are not exported cost as much.
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
            // Queries may carry what people search for.
            Layer.succeed(UrlParams.CurrentRedactedNames, [/^/]),
          ).pipe(Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer]));
        }),
      ),
  });
