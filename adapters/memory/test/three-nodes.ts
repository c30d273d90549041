import type { Transaction } from "@postern/core/shared";
import { Memory, SimulatedStore, StoresOverMemory } from "@postern/memory";
import { Clock, Context, Effect, Layer } from "effect";

/** Returns a service whose calls go to each of several in turn. */
const inTurn = <S extends Record<string, unknown>>(services: ReadonlyArray<S>): S => {
  let calls = 0;
  const next = () => services[calls++ % services.length]!;
  const members = Object.entries(services[0]!).map(([name, member]) => [
    name,
    Effect.isEffect(member)
      ? Effect.suspend(() => next()[name] as Effect.Effect<unknown, unknown>)
      : typeof member === "function"
        ? (...given: ReadonlyArray<unknown>) =>
            (next()[name] as (...given: ReadonlyArray<unknown>) => unknown)(...given)
        : member,
  ]);
  return Object.fromEntries(members) as S;
};

/** The stores of three nodes on one simulated store; each call goes to the next node. */
export const ThreeNodes = Layer.effectContext(
  Effect.gen(function* () {
    const store = new SimulatedStore({
      clock: yield* Clock.Clock,
      commit: () => "committed",
      wakeMillis: () => 0,
      lockMillis: 5_000,
      idleMillis: 3_000,
    });
    const nodes = yield* Effect.forEach(["one", "two", "three"], (name) =>
      Layer.build(Layer.fresh(Layer.provideMerge(StoresOverMemory, Memory.clientOf(store, name)))),
    );
    const shared = new Map(
      [...nodes[0]!.mapUnsafe.keys()].map((key) => [key, inTurn(nodes.map((node) => node.mapUnsafe.get(key)))]),
    );
    return Context.makeUnsafe<Transaction | Layer.Success<typeof StoresOverMemory>>(shared);
  }),
);
