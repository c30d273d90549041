import { sweeps, UseCases, workers } from "@postern/core";
import { Context, Effect, Layer, Schedule } from "effect";
import { faultyPorts } from "../faults/faulty-ports.ts";
import type { NodeSurroundings } from "../faults/NodeSurroundings.ts";
import type { Incarnation } from "../timeline/Incarnation.ts";
import type { NodeServices } from "./NodeServices.ts";
import type { Wiring } from "./Wiring.ts";

/** The interval of the sweeps; one hour in production. */
const SWEEPS_EVERY = "2 minutes";

/** Starts an incarnation like `apps/server`: adapters, use cases, workers and sweeps, all behind its gate. */
export const startNode = Effect.fnUntraced(function* (
  node: Incarnation,
  wiring: Wiring,
  surroundings: NodeSurroundings,
) {
  // Layers memoize by identity: without a separate memo map, a node would share services with another node.
  const build = <A, E>(layer: Layer.Layer<A, E>) =>
    Layer.buildWithMemoMap(layer, Layer.makeMemoMapUnsafe(), node.scope);
  const faulty = <Ports>(ports: Context.Context<Ports>) =>
    wiring.planted(faultyPorts(node, wiring.planted(ports, "surroundings"), surroundings), "node");
  const foundations = faulty(yield* build(wiring.foundations(node)));
  const adapters = yield* build(Layer.provide(wiring.adapters(node), Layer.succeedContext(foundations)));
  const ports = Context.merge(foundations, faulty(adapters));
  const useCases = yield* build(Layer.provide(UseCases, Layer.succeedContext(ports)));
  const services: Context.Context<NodeServices> = Context.merge(ports, useCases);
  for (const { run } of yield* Effect.provideContext(workers, services)) yield* Effect.forkIn(run, node.scope);
  const swept = Effect.forEach(yield* Effect.provideContext(sweeps, services), (sweep) => Effect.ignoreCause(sweep));
  yield* Effect.forkIn(Effect.repeat(swept, Schedule.spaced(SWEEPS_EVERY)), node.scope);
  return services;
});
