import { Effect, Exit, Scope } from "effect";
import { openIdProvider, type OpenIdProviderOptions } from "./OpenIdProvider.ts";

/** Starts a provider for tests outside Effect that run a whole service. */
export const startOpenIdProvider = async (options: OpenIdProviderOptions = {}) => {
  const scope = Scope.makeUnsafe();
  const provider = await Effect.runPromise(Scope.provide(openIdProvider(options), scope));
  return { ...provider, stop: (): Promise<void> => Effect.runPromise(Scope.close(scope, Exit.void)) };
};
