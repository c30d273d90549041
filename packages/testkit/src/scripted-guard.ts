import { AddressDenied, EgressGuard, HostUnresolved, type JudgedAddress } from "@postern/core/shared";
import { Effect, Layer } from "effect";
import type { HostAnswer } from "./GuardedHosts.ts";

/** The addresses that `scriptedGuard` allows. */
export const PUBLIC_ADDRESSES = ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"] as const;

const isAddress = (host: string): boolean => host.includes(":") || /^[\d.]+$/.test(host);

/**
 * An `EgressGuard` for tests of adapters that use one. It allows `PUBLIC_ADDRESSES` and addresses that begin with
 * `exempted`. Names missing from `names` do not resolve.
 */
export const scriptedGuard = (
  names: ReadonlyMap<string, HostAnswer | (() => HostAnswer)> = new Map(),
  exempted = "127.",
): Layer.Layer<EgressGuard> => {
  const judge = (address: string): Effect.Effect<JudgedAddress, AddressDenied> => {
    const allowed = address.startsWith(exempted);
    const isPublic = (PUBLIC_ADDRESSES as ReadonlyArray<string>).includes(address);
    if (!allowed && !isPublic) return Effect.fail(new AddressDenied({ rule: "address" }));
    return Effect.succeed({ address, family: address.includes(":") ? 6 : 4, allowed });
  };
  return Layer.succeed(EgressGuard, {
    resolve: Effect.fnUntraced(function* (host) {
      const known = names.get(host) ?? (isAddress(host) ? [host] : "nxdomain");
      const answer = typeof known === "function" ? known() : known;
      if (typeof answer === "string") return yield* new HostUnresolved({ reason: answer });
      return yield* Effect.forEach(answer, judge);
    }),
  });
};
