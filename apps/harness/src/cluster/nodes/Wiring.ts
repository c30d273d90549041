import type { AuthorizationServer } from "@postern/core/oauth";
import type { Context, Layer } from "effect";
import type { Incarnation } from "../timeline/Incarnation.ts";
import type { NodePorts } from "./NodePorts.ts";
import type { SimulatedStores } from "./SimulatedStores.ts";

/**
 * Creates stores that replace those of the same ports. The function is called once per seed, and returns the connection
 * of each node to the stores. They may use the stores that are not replaced, and must not wait for the host.
 */
export type OwnStores = () => (node: string) => Layer.Layer<never, never, SimulatedStores>;

/** The ports that other adapters use. */
type Foundations = SimulatedStores | AuthorizationServer;

/** The source of the adapters of nodes. */
export interface Wiring {
  /** The stores of an incarnation, which are clients of one store that outlives every node, and the OAuth2 providers. */
  readonly foundations: (node: Incarnation) => Layer.Layer<Foundations>;
  /** The other adapters of an incarnation, over its own foundations. */
  readonly adapters: (node: Incarnation) => Layer.Layer<Exclude<NodePorts, Foundations>, never, Foundations>;
  /** Returns ports with the planted bug, if the plant is at this place: in a node, or in a dependency of nodes. */
  readonly planted: <Ports>(ports: Context.Context<Ports>, where: "node" | "surroundings") => Context.Context<Ports>;
  /** Restarts the store: open transactions end without their changes. */
  readonly restartStore: () => void;
  /** The number of rows in the store, by the name of the table. */
  readonly rows: () => ReadonlyMap<string, number>;
  /** The ports, without faults, of a client outside of the nodes. */
  readonly outside: Context.Context<NodePorts>;
}
