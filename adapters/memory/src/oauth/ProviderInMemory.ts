import { Context, Layer } from "effect";
import { TokenProvider } from "./TokenProvider.ts";

/** The provider behind the fake `AuthorizationServer`, which a test controls. */
export class ProviderInMemory extends Context.Service<ProviderInMemory, TokenProvider>()(
  "@postern/memory/ProviderInMemory",
) {
  static readonly layer: Layer.Layer<ProviderInMemory> = Layer.sync(ProviderInMemory, () => new TokenProvider());
}
