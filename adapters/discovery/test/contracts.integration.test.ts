import { discoverySourcesContract, MailDomains } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { realDomains } from "./real-domains.ts";

const overLoopback = Layer.unwrap(
  Effect.map(realDomains, ({ sources, publish, broken }) =>
    Layer.merge(sources, Layer.succeed(MailDomains, { publish, broken })),
  ),
);

discoverySourcesContract("DiscoverySources over DNS and https", overLoopback);
