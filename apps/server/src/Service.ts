import { fileURLToPath } from "node:url";
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import { AccountWatcher, UseCases } from "@postern/core";
import { Readiness, Routes } from "@postern/http-api";
import { Database, serveCopies } from "@postern/sql";
import { Duration, Effect, Latch, Layer } from "effect";
import { HttpRouter } from "effect/http";
import { adapters } from "./adapters.ts";
import type { DisciplinedClock } from "./clock/DisciplinedClock.ts";
import { FollowDatabaseTime } from "./clock/follow-database-time.ts";
import type { Config } from "./config.ts";
import { ConsolePages } from "./console/ConsolePages.ts";
import { Housekeeping } from "./housekeeping.ts";
import { listen } from "./listen.ts";
import { ProcessMetrics } from "./process-metrics.ts";
import { WebhookMetrics, WebhookWorker } from "./webhook-worker.ts";
import type { ServiceKeys } from "./service-keys.ts";

/** Where `npm install` builds the console. */
const CONSOLE = fileURLToPath(new URL("../../console/dist", import.meta.url));

/** From "not ready" to closing the door: whoever is on the way still gets in. */
const LAST_CALL = Duration.millis(250);

/** The whole service, routes over use cases over adapters, listening until its scope closes. Answers with the port. */
export const service = Effect.fnUntraced(function* (config: Config, keys: ServiceKeys, clock: DisciplinedClock) {
  const stopping = yield* Latch.make();
  const readiness = Layer.effect(
    Readiness,
    Effect.map(Database, ({ answers }) => ({
      isReady: Effect.suspend(() => (stopping.isOpen() ? Effect.succeed(false) : answers)),
      stopping: stopping.await,
    })),
  );
  const app = yield* HttpRouter.toHttpEffect(
    Layer.mergeAll(
      Routes(config),
      ConsolePages(CONSOLE),
      Housekeeping,
      WebhookWorker,
      FollowDatabaseTime(clock),
      "url" in keys.storage ? Layer.empty : serveCopies(keys.storage.folder),
      leaveAtOnce(stopping.await),
    ).pipe(
      Layer.provide([readiness, Layer.provide(WebhookMetrics, ProcessMetrics)]),
      Layer.provide(UseCases),
      Layer.provide(adapters(config, keys)),
      Layer.provide(NodeHttpServer.layerHttpServices),
    ),
  );
  const port = yield* listen(config, app);
  // Scopes close in reverse: first no longer ready, then no longer listening, then the rest.
  yield* Effect.addFinalizer(() => Effect.andThen(stopping.open, Effect.sleep(LAST_CALL)));
  return port;
});

/** Other nodes need not wait for the requests under way here before they watch this one's accounts. */
const leaveAtOnce = (stopping: Effect.Effect<void>) =>
  Layer.effectDiscard(
    Effect.flatMap(AccountWatcher, ({ leave }) => Effect.forkScoped(Effect.andThen(stopping, leave))),
  );
