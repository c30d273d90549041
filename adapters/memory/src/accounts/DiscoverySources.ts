import { DiscoverySources, NO_SERVERS } from "@postern/core/accounts";
import { Effect, Layer } from "effect";
import { DomainsInMemory } from "./DomainsInMemory.ts";

/** The sources over the domains in memory. */
export const layer: Layer.Layer<DiscoverySources, never, DomainsInMemory> = Layer.effect(
  DiscoverySources,
  Effect.map(DomainsInMemory, ({ published }) => ({
    autoconfig: (domain) => Effect.sync(() => published.get(domain)?.autoconfig ?? NO_SERVERS),
    srv: (domain) => Effect.sync(() => published.get(domain)?.srv ?? NO_SERVERS),
    ispdb: (domain) => Effect.sync(() => published.get(domain)?.ispdb ?? NO_SERVERS),
    mx: (domain) => Effect.sync(() => published.get(domain)?.mx ?? []),
  })),
);
