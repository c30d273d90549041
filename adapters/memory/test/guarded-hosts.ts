import { HostsInMemory } from "@postern/memory";
import { GuardedHosts, PUBLIC_ADDRESSES } from "@postern/testkit";
import { Effect, Layer } from "effect";

/** Names in memory, where the test addresses are public and loopback is exempted. */
export const GuardedHostsInMemory = Layer.effect(
  GuardedHosts,
  Effect.map(HostsInMemory, ({ names, publicAddresses, exempted }) => {
    for (const address of PUBLIC_ADDRESSES) publicAddresses.add(address);
    for (const beginning of ["127.", "fd00:"]) exempted.add(beginning);
    return GuardedHosts.of({
      name: (...answers) =>
        Effect.sync(() => {
          const name = `host${names.size}.test`;
          let asked = 0;
          names.set(name, () => answers[Math.min(asked++, answers.length - 1)] ?? []);
          return name;
        }),
    });
  }),
);
