import { fileURLToPath } from "node:url";
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import { UseCases } from "@postern/core";
import { Readiness, Routes } from "@postern/http-api";
import { Database, serveCopies } from "@postern/sql";
import { Context, Duration, Effect, Layer } from "effect";
import { HttpRouter } from "effect/http";
import { adapters } from "./adapters.ts";
import type { DisciplinedClock } from "./clock/DisciplinedClock.ts";
import { FollowDatabaseTime } from "./clock/follow-database-time.ts";
import type { Config } from "./config.ts";
import { ConsolePages } from "./console/ConsolePages.ts";
import { guidesIn } from "./guides-in.ts";
import { Housekeeping } from "./housekeeping.ts";
import { listen } from "./listen.ts";
import { ProcessMetrics } from "./process-metrics.ts";
import type { ServiceKeys } from "./service-keys.ts";
import { Stopping } from "./Stopping.ts";
import { WebhookMetrics } from "./webhook-metrics.ts";
import { Workers } from "./Workers.ts";

/** Where `npm install` builds the console. */
const CONSOLE = fileURLToPath(new URL("../../console/dist", import.meta.url));

/** The pages of the documentation. */
const DOCS = fileURLToPath(new URL("../../../docs", import.meta.url));

/** From being told to stop to the end of the process, whatever hangs (spec 8). */
const WHOLE_STOP = Duration.millis(19_500);

/** The whole service, routes over use cases over adapters, listening until its scope closes. Answers with the port. */
export const service = Effect.fnUntraced(function* (config: Config, keys: ServiceKeys, clock: DisciplinedClock) {
  const stopping = Context.get(yield* Layer.build(Stopping.layer), Stopping);
  yield* Effect.addFinalizer(() => (stopping.hasBegun() ? Effect.logInfo("stopped") : Effect.void));
  const readiness = Layer.effect(
    Readiness,
    Effect.map(Database, ({ answers }) => ({
      isReady: Effect.suspend(() => (stopping.hasBegun() ? Effect.succeed(false) : answers)),
      stopping: stopping.begins,
    })),
  );
  const app = yield* HttpRouter.toHttpEffect(
    Layer.mergeAll(
      Routes({ ...config, guides: yield* guidesIn(DOCS) }),
      ConsolePages(CONSOLE),
      Housekeeping,
      Workers,
      FollowDatabaseTime(clock),
      "url" in keys.storage ? Layer.empty : serveCopies(keys.storage.folder),
    ).pipe(
      Layer.provide([readiness, Layer.succeed(Stopping, stopping), Layer.provide(WebhookMetrics, ProcessMetrics)]),
      Layer.provide(UseCases),
      Layer.provide(adapters(config, keys)),
      Layer.provide(NodeHttpServer.layerHttpServices),
    ),
  );
  const port = yield* listen(config, app);
  yield* Effect.logInfo("ready", { port });
  // Scopes close in reverse: first no longer ready, then no longer listening, then the rest.
  yield* Effect.addFinalizer(() =>
    Effect.all([stopping.begin, endInTime, Effect.logInfo("stopping")], { discard: true }),
  );
  return port;
});

/** What hangs is left to others: leases run out, and what is committed is found at the next start. */
const endInTime = Effect.contextWith((context: Context.Context<never>) =>
  Effect.sync(() => {
    const end = () => {
      Effect.runSyncWith(context)(Effect.logWarning("stopped before everything had ended"));
      process.exit(0);
    };
    setTimeout(end, Duration.toMillis(WHOLE_STOP)).unref();
  }),
);
