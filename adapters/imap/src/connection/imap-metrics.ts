import { type Context, Effect, Exit, Metric } from "effect";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const duration = Metric.histogram("imap_command_duration_seconds", {
  description: "From a command to its answer",
  boundaries: SECONDS,
});
const connections = Metric.gauge("imap_connections", { description: "Signed-in connections to the mail server" });
const watches = Metric.counter("imap_watches_begun_total", {
  description: "Watches begun, by whether their connection reports changes by QRESYNC",
  incremental: true,
});

const durations = new Map<string, typeof duration>();

/** Runs a command and records its duration in the metric, labelled with the command's name and outcome. */
export const measureCommand = <A, E, R>(operation: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const began = performance.now();
    return Effect.onExit(effect, (exit) => {
      const outcome = Exit.isSuccess(exit) ? "ok" : "failed";
      const key = `${operation} ${outcome}`;
      const known = durations.get(key) ?? Metric.withAttributes(duration, { operation, outcome });
      durations.set(key, known);
      return Metric.update(known, (performance.now() - began) / 1000);
    });
  });

/** Counts an opened connection. The returned function counts it as closed. */
export const countConnection: Effect.Effect<() => void> = Effect.contextWith((context: Context.Context<never>) => {
  connections.modifyUnsafe(1, context);
  return Effect.succeed(() => connections.modifyUnsafe(-1, context));
});

const QRESYNC = ["enabled", "refused", "unsupported"] as const;

const watchesOf = (qresync: (typeof QRESYNC)[number]) => Metric.withAttributes(watches, { qresync });

/** Counts a started watch. Without QRESYNC each watch reads all UIDs of INBOX once. */
export const countWatch = (qresync: (typeof QRESYNC)[number]): Effect.Effect<void> =>
  Metric.update(watchesOf(qresync), 1);

/** Registers the metrics at 0. If a counter first appears as 1, monitoring sees no increase. */
export const countFromZero: Effect.Effect<void> = Effect.andThen(
  Metric.modify(connections, 0),
  Effect.forEach(QRESYNC, (qresync) => Metric.update(watchesOf(qresync), 0), { discard: true }),
);
