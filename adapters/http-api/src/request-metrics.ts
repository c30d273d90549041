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

/** Shows the counters of refused requests at zero from the start, or their first rise would not be seen. */
export const startCounters = Effect.andThen(Metric.update(shed, 0), Metric.update(overShare, 0));

/** A request and its answer. */
export interface AnsweredRequest {
  readonly method: string;
  /** The pattern of its route. */
  readonly route: string;
  readonly status: number;
  /** Milliseconds to the head of its answer. */
  readonly ms: number;
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** One histogram for each route, method and status: finding it by its attributes costs more than using it. */
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

/** The pattern of the route that `context` holds: never what a client made up. */
export const routeOf = (context: Context.Context<never>): string => {
  const matched = context.mapUnsafe.get(HttpRouter.RouteContext.key) as HttpRouter.RouteContext["Service"] | undefined;
  return matched?.route.path ?? "none";
};

/** Counts an answer. */
export const countAnswer = ({ method, route, status, ms }: AnsweredRequest, context: Context.Context<never>): void =>
  durationOf(METHODS.has(method) ? method : "other", route, status).updateUnsafe(ms / 1000, context);

/** Brings the gauge up to what is counted. */
export const showInFlight = (count: number) => Metric.update(inFlight, count);

/** Counts a request that was refused. */
export const countShed = Metric.update(shed, 1);

/** Counts a request that was refused for the others of its account. */
export const countOverShare = Metric.update(overShare, 1);
