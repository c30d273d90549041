import { Layer } from "effect";
import { FetchHttpClient, UrlParams } from "effect/http";
import { OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability";

const RESOURCE = { serviceName: "postern" };

/** Sends traces and metrics to the collector at this address. If it is down, only the unsent data is lost. */
export const otlp = (endpoint: URL): Layer.Layer<never> => {
  const base = endpoint.href.replace(/\/$/, "");
  return Layer.mergeAll(
    OtlpTracer.layer({ url: `${base}/v1/traces`, resource: RESOURCE }),
    OtlpMetrics.layer({ url: `${base}/v1/metrics`, resource: RESOURCE }),
    // Query strings may contain search terms.
    Layer.succeed(UrlParams.CurrentRedactedNames, [/^/]),
  ).pipe(Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer]));
};
