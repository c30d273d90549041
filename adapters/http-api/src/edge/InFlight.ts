import { Context, Effect, Layer, Metric } from "effect";

/** Maximum number of requests in flight per account or session (spec 8), and per service key (spec 10.2). */
export const ACCOUNT_SHARE = 64;
export const KEY_SHARE = 256;

const inFlight = Metric.gauge("http_server_requests_in_flight", { description: "Requests that have no answer yet" });
const shed = Metric.counter("http_server_requests_shed_total", {
  description: "Requests refused because too many were under way",
  incremental: true,
});
const overShare = Metric.counter("http_server_requests_over_share_total", {
  description: "Requests refused because their account had too many under way",
  incremental: true,
});

/** Counts the requests in flight, in total and for each holder, so that one holder cannot use up the whole capacity. */
export class InFlight extends Context.Service<
  InFlight,
  {
    /** The number of requests without a response so far. */
    count: number;
    /**
     * Counts a request of a holder. Returns false, without counting the request, if the holder has reached its share.
     */
    readonly enter: (holder: string, share?: number) => boolean;
    /** Ends a counted request of a holder. */
    readonly leave: (holder: string) => void;
  }
>()("@postern/http-api/InFlight") {
  static readonly layer = Layer.effect(
    InFlight,
    Effect.gen(function* () {
      // Monitoring would miss the first increase of a counter that is not registered at 0.
      yield* Effect.andThen(Metric.update(shed, 0), Metric.update(overShare, 0));
      const shares = new Map<string, number>();
      return {
        count: 0,
        enter: (holder, share = ACCOUNT_SHARE) => {
          const count = shares.get(holder) ?? 0;
          if (count >= share) return false;
          shares.set(holder, count + 1);
          return true;
        },
        leave: (holder) => {
          const count = shares.get(holder) ?? 0;
          if (count > 1) shares.set(holder, count - 1);
          else shares.delete(holder);
        },
      };
    }),
  );
}

/** Sets the gauge of requests in flight. */
export const showInFlight = (count: number) => Metric.update(inFlight, count);

/** Counts a request refused because of overload. */
export const countShed = Metric.update(shed, 1);

/** Counts a request refused because its account had reached its share. */
export const countOverShare = Metric.update(overShare, 1);
