import { Context, Effect } from "effect";
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http";
import { PrometheusMetrics } from "effect/observability";
import { InFlight, showInFlight } from "../edge/InFlight.ts";

/** Effects that update metrics, such as sizes, which are measured only on a scrape. */
export const MetricsSources = Context.Reference<ReadonlyArray<Effect.Effect<void>>>(
  "@postern/http-api/MetricsSources",
  { defaultValue: () => [] },
);

/** `/metrics` in the text format of Prometheus (spec 8). */
export const MetricsPage = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const sources = yield* MetricsSources;
    const inFlight = yield* InFlight;
    yield* router.add(
      "GET",
      "/metrics",
      Effect.gen(function* () {
        // A proxy that keeps this page private compares the path, but the router would also accept /Metrics/ and
        // //metrics.
        const request = yield* HttpServerRequest.HttpServerRequest;
        if (!/^\/metrics(\?|$)/.test(request.url)) {
          const reason = new HttpServerError.RouteNotFound({ request });
          return yield* new HttpServerError.HttpServerError({ reason });
        }
        yield* Effect.all([...sources, showInFlight(inFlight.count)], { discard: true });
        const text = yield* PrometheusMetrics.format({ prefix: "postern" });
        return HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" });
      }),
    );
  }),
);
