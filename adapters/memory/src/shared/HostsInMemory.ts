import type { HostUnresolved } from "@postern/core/shared";
import { Context, Layer } from "effect";

/** The addresses of a host name, or the reason why the name has none. */
type Answer = ReadonlyArray<string> | HostUnresolved["reason"];

/** The hosts of a world without a network. */
export class HostsInMemory extends Context.Service<
  HostsInMemory,
  {
    /** Names with their answers: one answer for all lookups, or one for each. Other names do not exist. */
    readonly names: Map<string, Answer | (() => Answer)>;
    /** Addresses on the public internet. */
    readonly publicAddresses: Set<string>;
    /** The beginnings of exempted addresses, such as `127.`. */
    readonly exempted: Set<string>;
  }
>()("@postern/memory/HostsInMemory") {
  static readonly layer: Layer.Layer<HostsInMemory> = Layer.sync(HostsInMemory, () => ({
    names: new Map(),
    publicAddresses: new Set<string>(),
    exempted: new Set<string>(),
  }));
}
