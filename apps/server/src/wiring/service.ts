import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import { UseCases } from "@postern/core";
import type { StoreUnavailable } from "@postern/core/shared";
import { prefixOf, Readiness, routePaths, Routes } from "@postern/http-api";
import { Database, missingKeys, serveCopies } from "@postern/sql";
import { Context, Duration, Effect, Layer, type Scope } from "effect";
import { HttpRouter, type HttpServerRequest, type HttpServerResponse } from "effect/http";
import { AccountMetrics } from "./account-metrics.ts";
import { dependencyMetrics } from "./dependency-metrics.ts";
import { OutboxMetrics } from "./outbox-metrics.ts";
import { adapters } from "./adapters.ts";
import type { DisciplinedClock } from "../clock/DisciplinedClock.ts";
import { FollowDatabaseTime } from "../clock/follow-database-time.ts";
import type { Config } from "../settings/config.ts";
import { CONSOLE_PATHS, ConsolePages } from "../console/ConsolePages.ts";
import { guidesIn } from "./guides-in.ts";
import { Housekeeping } from "./housekeeping.ts";
import { unreachableMailServers } from "./mail-server-checks.ts";
import { ProcessMetrics } from "./process-metrics.ts";
import type { ServiceKeys } from "../settings/service-keys.ts";
import { shippedFolder } from "../shipped-folder.ts";
import { StopSignal } from "./StopSignal.ts";
import { WebhookMetrics } from "./webhook-metrics.ts";
import { withoutPrefix } from "./without-prefix.ts";
import { claimsFailingFor, WorkerMetrics } from "./WorkerMetrics.ts";
import { Workers } from "./Workers.ts";

/** The folder into which `npm install` builds the console. */
const CONSOLE = shippedFolder("console", "../../console/dist");

/** The pages of the documentation. */
const DOCS = shippedFolder("docs", "../../../docs");

/** The metrics that `/metrics` reads on each request. */
const Metrics = Layer.provide(
  OutboxMetrics,
  Layer.provide(AccountMetrics, Layer.provide(WebhookMetrics, Layer.provide(WorkerMetrics, ProcessMetrics))),
);

/** The time after which `/health/ready` names a worker that cannot claim anything. */
const FAILING_MILLIS = 60_000;

/**
 * The time for which the result of the check for missing keys is used. Readiness checks are frequent, and this check
 * reads all rows with secrets.
 */
const KEYS_KNOWN_FOR = Duration.minutes(1);

/** The services behind the routes: the use cases, the adapters below them, and the services that the framework's app needs. */
export type Behind =
  | Layer.Success<typeof UseCases>
  | Layer.Success<ReturnType<typeof adapters>>
  | Layer.Success<typeof NodeHttpServer.layerHttpServices>
  | StopSignal;

/** Layers that replace adapters; they may depend on the adapters that are not replaced. */
export type Replacements = Layer.Layer<never, never, Layer.Success<ReturnType<typeof adapters>>>;

/** The whole service: routes over use cases over adapters. */
export interface Service {
  /** Answers requests. */
  readonly app: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    unknown,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >;
  /** Runs the background work until the scope closes. */
  readonly start: Effect.Effect<void, StoreUnavailable, Scope.Scope>;
  /** Ends live streams and stops workers from claiming more; the scope of the service closes afterwards. */
  readonly stopping: StopSignal["Service"];
  readonly behind: Context.Context<Behind>;
}

/** Builds the service; nothing runs until `start`. */
export const service = Effect.fnUntraced(function* (
  config: Config,
  keys: ServiceKeys,
  clock: DisciplinedClock,
  replacements: Replacements = Layer.empty,
) {
  const behind: Context.Context<Behind> = yield* Layer.build(
    Layer.provideMerge(UseCases, Layer.provideMerge(replacements, adapters(config, keys))).pipe(
      Layer.provideMerge(Layer.merge(StopSignal.layer, NodeHttpServer.layerHttpServices)),
    ),
  );
  const stopping = Context.get(behind, StopSignal);
  const failingFor = Effect.provide(claimsFailingFor, behind);
  const readiness = Layer.succeed(Readiness, {
    isStopping: Effect.sync(() => stopping.hasBegun()),
    hasDatabase: Context.get(behind, Database).answers,
    unreachable: yield* unreachableMailServers(config),
    failing: Effect.map(failingFor, (all) =>
      [...all].flatMap(([name, millis]) => (millis >= FAILING_MILLIS ? [name] : [])),
    ),
    missingKeys: yield* Effect.cachedWithTTL(
      missingKeys.pipe(
        Effect.provide(behind),
        Effect.catch((error) => Effect.as(Effect.logDebug("reading the keys of stored secrets failed", error), [])),
      ),
      KEYS_KNOWN_FOR,
    ),
    stopping: stopping.begins,
  });
  const guides = yield* guidesIn(DOCS);
  const app = yield* HttpRouter.toHttpEffect(
    Layer.mergeAll(Routes({ ...config, guides }), ConsolePages(CONSOLE, prefixOf(config.baseUrl))).pipe(
      Layer.provide([readiness, Layer.provide(dependencyMetrics(config), [readiness, Metrics])]),
      Layer.provide(Layer.succeedContext(behind)),
    ),
  );
  const beside = Layer.mergeAll(
    Housekeeping,
    Workers,
    FollowDatabaseTime(clock),
    "url" in keys.storage ? Layer.empty : serveCopies(keys.storage.folder),
  ).pipe(Layer.provide(Layer.succeedContext(behind)));
  const built: Service = {
    app: withoutPrefix(app, prefixOf(config.baseUrl), [...routePaths(), ...CONSOLE_PATHS]),
    start: Effect.asVoid(Layer.build(beside)),
    stopping,
    behind,
  };
  return built;
});
