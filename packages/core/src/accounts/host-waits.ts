import { Clock, Effect, Metric } from "effect";

const waiting = Metric.gauge("mail_host_connections_waiting", {
  description: "Connections to accounts' own mail servers that wait for their turn",
});
const waited = Metric.histogram("mail_host_wait_seconds", {
  description: "How long connections to accounts' own mail servers waited for their turn",
  boundaries: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
});

/**
 * The number of hosts that get their own label. The number is bounded, because requests and domains choose host names
 * freely.
 */
const MAX_HOSTS = 50;

const metricsOf = (host: string) => ({
  waiting: Metric.withAttributes(waiting, { host }),
  waited: Metric.withAttributes(waited, { host }),
});

/**
 * Makes a function that measures waits for a connection to a mail host. The first 50 hosts have their own label; later
 * ones share the label `other`.
 */
export const hostWaits = Effect.sync(() => {
  const named = new Map<string, ReturnType<typeof metricsOf>>();
  const others = metricsOf("other");

  const of = (host: string) => {
    const known = named.get(host);
    if (known !== undefined || named.size === MAX_HOSTS) return known ?? others;
    const made = metricsOf(host);
    named.set(host, made);
    return made;
  };

  return <A, E, R>(host: string, wait: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const { waiting, waited } = of(host);
      return Effect.acquireUseRelease(
        Effect.tap(Clock.currentTimeMillis, () => Metric.modify(waiting, 1)),
        () => wait,
        Effect.fnUntraced(function* (began) {
          yield* Metric.modify(waiting, -1);
          yield* Metric.update(waited, ((yield* Clock.currentTimeMillis) - began) / 1000);
        }),
      );
    });
});
