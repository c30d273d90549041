import { Transaction } from "@postern/core/shared";
import { Context, Effect, Layer } from "effect";
import { SimulatedStore } from "./SimulatedStore.ts";
import type { StoreClient } from "./StoreClient.ts";

/** The store of this package's adapters, shared so that a transaction covers all of them. */
export class Memory extends Context.Service<Memory, StoreClient>()("@postern/memory/Memory") {
  /** A store that only this node uses, with the port `Transaction`. */
  static readonly layer: Layer.Layer<Memory | Transaction> = Layer.unwrap(
    Effect.sync(() => Memory.clientOf(new SimulatedStore(), "alone")),
  );

  /** This node's view of a store that nodes share, with the port `Transaction`. */
  static readonly clientOf = (store: SimulatedStore, name: string): Layer.Layer<Memory | Transaction> => {
    const client = store.client(name);
    return Layer.succeedContext(
      Context.make(Memory, client).pipe(Context.add(Transaction, { run: client.transaction })),
    );
  };
}
