import { dnsServer, egressGuardContract, GuardedHosts } from "@postern/testkit";
import { Effect, Layer } from "effect";
import { layer } from "../src/index.ts";

const guarded = Layer.unwrap(
  Effect.map(dnsServer, ({ address, names }) => {
    const hosts = GuardedHosts.of({
      name: (...answers) =>
        Effect.sync(() => {
          const name = `host${names.size}.test`;
          // A and AAAA are one lookup.
          let asked = 0;
          names.set(name, () => answers[Math.min(Math.floor(asked++ / 2), answers.length - 1)] ?? []);
          return name;
        }),
    });
    const guard = layer({
      allowedNetworks: ["127.0.0.0/8", "fd00::/8"],
      ports: [143, 465, 587, 993],
      nameServers: [address],
    });
    return Layer.merge(guard, Layer.succeed(GuardedHosts, hosts));
  }),
);

egressGuardContract("EgressGuard over DNS", guarded);
