import type { NamedServers } from "@postern/core/accounts";
import { Context, Layer } from "effect";

/** The mail servers that a domain publishes. */
interface PublishedServers {
  readonly autoconfig?: NamedServers;
  readonly srv?: NamedServers;
  readonly ispdb?: NamedServers;
  readonly mx?: ReadonlyArray<string>;
}

/** The domains of a world without a network; other domains do not exist. */
export class DomainsInMemory extends Context.Service<
  DomainsInMemory,
  { readonly published: Map<string, PublishedServers> }
>()("@postern/memory/DomainsInMemory") {
  static readonly layer: Layer.Layer<DomainsInMemory> = Layer.sync(DomainsInMemory, () => ({ published: new Map() }));
}
