import { Context } from "effect";

/** The data that the nodes of a seed share about a planted bug, under keys that the plant chooses. */
export type PlantMemory = Map<string, unknown>;

/** A bug planted into the wiring of a simulation, to show that its invariants find it. */
export interface Plant {
  readonly name: string;
  /** A description of the bug in one line. */
  readonly about: string;
  /** Whether the bug is in a node, where faults can affect it, and not in one of the node's dependencies. */
  readonly isInNode?: boolean;
  /** Returns the ports of a node, with the bug if they include the plant's port. */
  readonly into: <Ports>(ports: Context.Context<Ports>, memory: PlantMemory) => Context.Context<Ports>;
}

/** Returns a plant that replaces members of one port. */
export const plant = <Identifier, Port extends object>(
  name: string,
  about: string,
  port: Context.Key<Identifier, Port>,
  change: (real: Port, memory: PlantMemory) => Partial<Port>,
): Plant => ({
  name,
  about,
  into: (ports, memory) => {
    const real = ports.mapUnsafe.get(port.key) as Port | undefined;
    if (real === undefined) return ports;
    return Context.makeUnsafe(new Map([...ports.mapUnsafe, [port.key, { ...real, ...change(real, memory) }]]));
  },
});

/** Returns a plant between a node and the faults of its ports. */
export const nodePlant = <Identifier, Port extends object>(
  ...args: Parameters<typeof plant<Identifier, Port>>
): Plant => ({
  ...plant(...args),
  isInNode: true,
});

/** Counts calls; returns true for each `every`th. */
export const isNth = (memory: PlantMemory, every: number): boolean => {
  const count = ((memory.get("count") as number | undefined) ?? 0) + 1;
  memory.set("count", count);
  return count % every === 0;
};
