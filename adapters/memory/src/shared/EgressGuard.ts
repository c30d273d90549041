import { AddressDenied, EgressGuard, HostUnresolved, type CheckedAddress } from "@postern/core/shared";
import { Effect, Layer } from "effect";
import { HostsInMemory } from "./HostsInMemory.ts";

const isAddress = (host: string): boolean => host.includes(":") || /^\d+(\.\d+){3}$/.test(host);

/**
 * Checks the hosts in memory. Unlike the real adapter it denies every address that is not listed as public, because
 * distinguishing public from private addresses needs a library. `ports` are the allowed ports of public addresses; all
 * by default.
 */
export const layer = (ports?: ReadonlyArray<number>): Layer.Layer<EgressGuard, never, HostsInMemory> =>
  Layer.effect(
    EgressGuard,
    Effect.map(HostsInMemory, ({ names, publicAddresses, exempted }) => {
      const check = Effect.fnUntraced(function* (address: string, port: number) {
        const allowed = [...exempted].some((beginning) => address.startsWith(beginning));
        if (!allowed && !publicAddresses.has(address)) return yield* new AddressDenied({ rule: "address" });
        if (!allowed && ports?.includes(port) === false) return yield* new AddressDenied({ rule: "port" });
        return { address, family: address.includes(":") ? 6 : 4, allowed } satisfies CheckedAddress;
      });

      return EgressGuard.of({
        resolve: Effect.fnUntraced(function* (host, port) {
          const known = isAddress(host) ? [host] : (names.get(host) ?? "nxdomain");
          const answer = typeof known === "function" ? known() : known;
          if (typeof answer === "string") return yield* new HostUnresolved({ reason: answer });
          return yield* Effect.forEach(answer, (address) => check(address, port));
        }),
      });
    }),
  );
