import { assert, it } from "@effect/vitest";
import { UseCases, workers } from "@postern/core";
import { adaptersInMemory } from "@postern/harness";
import { Context, Effect, Layer, Metric } from "effect";
import { TestClock } from "effect/testing";

/** Counts the running fibers among those started with `counting`. */
const fiberCounter = () => {
  let running = 0;
  const count: Metric.FiberRuntimeMetricsService = {
    recordFiberStart: () => void running++,
    recordFiberEnd: () => void running--,
  };
  return { running: () => running, counting: Effect.provideService(Metric.FiberRuntimeMetrics, count) };
};

/** Wraps services so that they record each call of a method and each run of an effect. */
const noting = (services: Context.Context<never>, calls: Array<string>) =>
  Context.makeUnsafe(
    new Map(
      [...services.mapUnsafe].map(([key, service]) => {
        if (typeof service !== "object" || service === null) return [key, service];
        const members = Object.entries(service).map(([name, member]) => {
          const note = () => void calls.push(`${key} ${name}`);
          const noted = (answer: unknown) =>
            Effect.isEffect(answer) ? Effect.andThen(Effect.sync(note), answer) : (note(), answer);
          if (typeof member !== "function") return [name, Effect.isEffect(member) ? noted(member) : member];
          return [name, (...args: ReadonlyArray<unknown>) => noted(Reflect.apply(member, service, args))];
        });
        return [key, Object.assign(Object.create(service), Object.fromEntries(members))];
      }),
    ),
  ) as Context.Context<Layer.Success<typeof adaptersInMemory>>;

const world = Effect.gen(function* () {
  const calls: Array<string> = [];
  const adapters = noting(yield* Layer.build(adaptersInMemory), calls);
  const fibers = fiberCounter();
  const useCases = yield* fibers.counting(Layer.build(Layer.provide(UseCases, Layer.succeedContext(adapters))));
  return { calls, fibers, services: Context.merge(adapters, useCases) };
});

it.effect("building the use cases starts no fiber and calls no port except for an id", () =>
  Effect.gen(function* () {
    const { calls, fibers } = yield* world;
    yield* TestClock.adjust("1 day");
    assert.strictEqual(fibers.running(), 0);
    assert.deepStrictEqual(
      calls.filter((call) => call !== "@postern/core/shared/ports/Entropy id"),
      [],
    );
  }).pipe(Effect.scoped),
);

it.effect("running the workers starts fibers and calls ports, so the counts above can fail", () =>
  Effect.gen(function* () {
    const { calls, fibers, services } = yield* world;
    const all = yield* Effect.provideContext(workers, services);
    yield* fibers.counting(Effect.forEach(all, ({ run }) => Effect.forkScoped(run)));
    yield* TestClock.adjust("1 second");
    assert.isAtLeast(fibers.running(), all.length);
    assert.includeMembers(calls, [
      "@postern/core/folders/ports/FolderRemovals nextDue",
      "@postern/core/watch/ports/AccountWatches beat",
    ]);
  }).pipe(Effect.scoped),
);
