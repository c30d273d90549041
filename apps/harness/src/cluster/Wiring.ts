import type { Context, Layer } from "effect";
import type { Incarnation } from "./Incarnation.ts";
import type { NodePorts } from "./NodePorts.ts";
import type { SimulatedStores } from "./SimulatedStores.ts";

/**
 * Stores that replace those of the same ports: called once per seed, it returns the connection of each node to them.
 * They may use the stores that are not replaced, and must not wait for the host.
 */
export type OwnStores = () => (node: string) => Layer.Layer<never, never, SimulatedStores>;

/** How nodes get their adapters. */
export interface Wiring {
  /** The stores of an incarnation; all of them are clients of one store, which outlives every node. */
  readonly stores: (node: Incarnation) => Layer.Layer<SimulatedStores>;
  /** The other adapters of an incarnation, over its own stores. */
  readonly adapters: (node: Incarnation) => Layer.Layer<Exclude<NodePorts, SimulatedStores>, never, SimulatedStores>;
  /** Returns ports with the planted bug, if there is one. */
  readonly planted: <Ports>(ports: Context.Context<Ports>) => Context.Context<Ports>;
  /** The ports of a client without faults. */
  readonly outside: Context.Context<NodePorts>;
}
