import { DomainsInMemory } from "@postern/memory";
import { MailDomains } from "@postern/testkit";
import { Effect, Layer } from "effect";

/** The control of the domains in memory. */
export const MailDomainsInMemory = Layer.effect(
  MailDomains,
  Effect.map(DomainsInMemory, ({ published }) => ({
    publish: (domain) =>
      Effect.sync(() => {
        const name = `domain${published.size}.test`;
        published.set(name, domain);
        return name;
      }),
    broken: Effect.succeed("broken.test"),
  })),
);
