import { MetricsSources, Readiness } from "@postern/http-api";
import { Effect, Layer, Metric, Option } from "effect";
import type { Config } from "../settings/config.ts";

const up = Metric.gauge("dependency_up", {
  description: "1 if a dependency of the deployment answered when it was last looked at, 0 if not",
});

/** Metrics of the dependencies that `/health/ready` reports: the database and the deployment's mail servers. */
export const dependencyMetrics = ({ imap, smtp }: Pick<Config, "imap" | "smtp">) =>
  Layer.effect(
    MetricsSources,
    Effect.gen(function* () {
      const others = yield* MetricsSources;
      const { hasDatabase, unreachable } = yield* Readiness;
      const show = (dependency: string, isUp: boolean) =>
        Metric.update(Metric.withAttributes(up, { dependency }), Number(isUp));
      const showAll = Effect.gen(function* () {
        const down = yield* unreachable;
        if (Option.isSome(imap)) yield* show("imap", !down.includes("imap"));
        if (Option.isSome(smtp)) yield* show("smtp", !down.includes("smtp"));
        yield* show("database", yield* hasDatabase);
      });
      return [...others, showAll];
    }),
  );
