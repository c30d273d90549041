import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, it } from "@effect/vitest";
import { UseCases } from "@postern/core";
import { Effect, Layer, Metric } from "effect";
import { afterEach, vi } from "vitest";
import { adapters } from "../src/wiring/adapters.ts";
import { readConfig } from "../src/settings/config.ts";
import { serviceKeys } from "../src/settings/service-keys.ts";

afterEach(() => vi.restoreAllMocks());

/** Returns the active resources of this process: sockets, servers, workers. */
const connections = () => process.getActiveResourcesInfo().filter((kind) => kind !== "Timeout" && kind !== "Immediate");

it.live("the use cases over the adapters of the server start no fiber, timer or connection", () =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "server-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true })),
    );
    const config = yield* readConfig(
      { DATA_DIR: folder, IMAP_URL: "imap://127.0.0.1:9", SMTP_URL: "smtp://127.0.0.1:9" },
      false,
    );
    const over = Layer.succeedContext(yield* Layer.build(adapters(config, yield* serviceKeys(config))));
    let fibers = 0;
    const count: Metric.FiberRuntimeMetricsService = {
      recordFiberStart: () => void fibers++,
      recordFiberEnd: () => void fibers--,
    };
    // Lets the fibers of the adapters start.
    yield* Effect.sleep("50 millis");
    const timers = [vi.spyOn(globalThis, "setTimeout"), vi.spyOn(globalThis, "setInterval")];
    const before = connections();
    yield* Effect.provideService(Layer.build(Layer.provide(UseCases, over)), Metric.FiberRuntimeMetrics, count);
    yield* Effect.yieldNow;
    assert.strictEqual(fibers, 0);
    assert.deepStrictEqual(
      timers.flatMap(({ mock }) => mock.calls),
      [],
    );
    assert.deepStrictEqual(connections(), before);
  }).pipe(Effect.scoped),
);
