import { isIP } from "node:net";
import { AddressDenied, EgressGuard, type CheckedAddress } from "@postern/core/shared";
import { Duration, Effect, Layer } from "effect";
import { networksOf, reachOf } from "../address-rules.ts";
import type { EgressOptions } from "../EgressOptions.ts";
import { dnsResolver } from "../HostResolver.ts";

/**
 * Implements the guard over DNS. Each adapter gets a guard with its own rules. A guard asks the name servers at each
 * call. Throws a RangeError for an invalid network.
 */
export const layer = ({
  allowedNetworks = [],
  ports,
  nameServers = [],
  timeout = "5 seconds",
}: EgressOptions = {}): Layer.Layer<EgressGuard> => {
  const allowed = networksOf(allowedNetworks);
  const addressesOf = dnsResolver(nameServers, Duration.toMillis(timeout));

  const check = Effect.fnUntraced(function* (address: string, port: number) {
    const reach = reachOf(address, allowed);
    if (reach === "blocked") return yield* new AddressDenied({ rule: "address" });
    if (reach === "public" && ports?.includes(port) === false) return yield* new AddressDenied({ rule: "port" });
    const family = isIP(address) === 6 ? 6 : 4;
    return { address, family, allowed: reach === "allowed" } satisfies CheckedAddress;
  });

  return Layer.succeed(EgressGuard, {
    resolve: Effect.fn("EgressGuard.resolve")(function* (host, port) {
      const addresses = isIP(host) === 0 ? yield* addressesOf(host) : [host];
      return yield* Effect.forEach(addresses, (address) => check(address, port));
    }),
  });
};
