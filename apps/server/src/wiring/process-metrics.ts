import { monitorEventLoopDelay } from "node:perf_hooks";
import { MetricsSources } from "@postern/http-api";
import { Database } from "@postern/sql";
import { Effect, Layer, Metric } from "effect";

const gauge = (name: string, description: string) => Metric.gauge(name, { description });

const memory = gauge("process_resident_memory_bytes", "Memory of the process");
const cpu = gauge("process_cpu_seconds_total", "Processor time of the process, its own and the system's");
const uptime = gauge("process_uptime_seconds", "Since the process began");
const loopDelay = gauge("event_loop_delay_seconds", "How late timers were since the last look, 99th percentile");
const pool = gauge("database_connections", "Connections to the database");

/** Milliseconds between the timers whose delay is measured; Node includes this time in the delay. */
const RESOLUTION = 20;

/** The pool state of the embedded database, which has one connection on this thread. */
const EMBEDDED = { open: 1, idle: 1, waiting: 0 };

/** The metrics of the process and its database, read on each request to `/metrics`. */
export const ProcessMetrics = Layer.effect(
  MetricsSources,
  Effect.gen(function* () {
    const database = yield* Database;
    const delay = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const monitor = monitorEventLoopDelay({ resolution: RESOLUTION });
        monitor.enable();
        return monitor;
      }),
      (monitor) => Effect.sync(() => monitor.disable()),
    );

    const ofProcess = Effect.gen(function* () {
      const { user, system } = process.cpuUsage();
      yield* Metric.update(memory, process.memoryUsage.rss());
      yield* Metric.update(cpu, (user + system) / 1e6);
      yield* Metric.update(uptime, process.uptime());
      yield* Metric.update(loopDelay, Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION) / 1000);
      delay.reset();
    });

    const ofDatabase = Effect.suspend(() => {
      const states = Object.entries(database.pool() ?? EMBEDDED);
      return Effect.forEach(states, ([state, count]) => Metric.update(Metric.withAttributes(pool, { state }), count));
    });

    return [ofProcess, Effect.asVoid(ofDatabase)];
  }),
);
