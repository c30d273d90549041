import { type Context, Effect, Metric } from "effect";
import { HttpRouter } from "effect/http";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const duration = Metric.histogram("http_server_request_duration_seconds", {
  description: "From the request to the head of its answer",
  boundaries: SECONDS,
});
const inFlight = Metric.gauge("http_server_requests_in_flight", { description: "Requests that have no answer yet" });
const shed = Metric.counter("http_server_requests_shed_total", {
  description: "Requests refused because too many were under way",
  incremental: true,
});
const overShare = Metric.counter("http_server_requests_over_share_total", {
  description: "Requests refused because their account had too many under way",
  incremental: true,
});

/** Registers the counters of refused requests at 0; monitoring would miss the first increase otherwise. */
export const startCounters = Effect.andThen(Metric.update(shed, 0), Metric.update(overShare, 0));

/** A request and its response. */
export interface AnsweredRequest {
  readonly method: string;
  /** The pattern of its route. */
  readonly route: string;
  readonly status: number;
  /** Milliseconds until the head of the response. */
  readonly ms: number;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** One histogram for each route, method and status, because a lookup by attributes costs more than an update. */
const durations = new Map<string, typeof duration>();

const durationOf = (method: string, route: string, status: number): typeof duration => {
  const key = `${method} ${route} ${status}`;
  let known = durations.get(key);
  if (known === undefined) {
    known = Metric.withAttributes(duration, { method, route, status: String(status) });
    durations.set(key, known);
  }
  return known;
};

/** Returns the pattern of the matched route, which contains no text of the client. */
export const routeOf = (context: Context.Context<never>): string => {
  const matched = context.mapUnsafe.get(HttpRouter.RouteContext.key) as HttpRouter.RouteContext["Service"] | undefined;
  return matched?.route.path ?? "none";
};

/** Counts a response. */
export const countAnswer = ({ method, route, status, ms }: AnsweredRequest, context: Context.Context<never>): void =>
  durationOf(METHODS.has(method) ? method : "other", route, status).updateUnsafe(ms / 1000, context);

/** Sets the gauge of requests in flight. */
export const showInFlight = (count: number) => Metric.update(inFlight, count);

/** Counts a request refused because of overload. */
export const countShed = Metric.update(shed, 1);

/** Counts a request refused because its account had reached its share. */
export const countOverShare = Metric.update(overShare, 1);
